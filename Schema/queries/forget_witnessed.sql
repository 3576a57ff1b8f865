DELETE FROM witnessed;
