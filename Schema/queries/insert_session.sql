-- ?1 session_no, ?2 session_id blob(16), ?3 key_no or NULL
INSERT INTO session (session_no, session_id, key_no) VALUES (?1, ?2, ?3);
