DELETE FROM main.flow;
