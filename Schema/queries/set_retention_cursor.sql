-- set_retention_cursor
-- ?1 session_no
INSERT INTO retention_cursor (only_row, session_no) VALUES (1, ?1)
ON CONFLICT (only_row) DO UPDATE SET session_no = excluded.session_no;
