-- the columns in their order
INSERT INTO retention_cursor (
    only_row, session_no
) VALUES (?1, ?2);
