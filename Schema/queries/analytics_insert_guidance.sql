-- ?1 session_no, ?2 position, ?3 number, ?4 at_ms, ?5 piece, ?6 hint, ?7 on_target or NULL, ?8 recording or NULL, ?9 target
-- or NULL
INSERT INTO guidance (
    session_no, position, number, at_ms, piece, hint, on_target, recording, target
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);
