DELETE FROM main.delivery;
