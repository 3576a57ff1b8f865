DELETE FROM retention_cursor;
