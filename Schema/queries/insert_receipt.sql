-- ?1 session_no, ?2 command_id, ?3 body_digest blob(16), ?4 first_position, ?5 event_count
INSERT INTO receipt (session_no, command_id, body_digest, first_position, event_count) VALUES (?1, ?2, ?3, ?4, ?5);
