-- the columns in their order
INSERT INTO session_pause (
    session_no, position, paused_at_ms
) VALUES (?1, ?2, ?3);
