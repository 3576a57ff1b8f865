SELECT
    only_row, session_no
FROM retention_cursor
ORDER BY only_row;
