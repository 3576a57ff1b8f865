-- find_retention_cursor
SELECT session_no FROM retention_cursor;
