-- the columns in their order
INSERT INTO session (
    session_no, session_id, key_no
) VALUES (?1, ?2, ?3);
