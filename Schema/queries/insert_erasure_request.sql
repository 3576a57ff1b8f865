-- insert_erasure_request
-- ?1 session_no, ?2 position of the event, ?3 requested_at_ms, ?4 due_at_ms
INSERT INTO erasure_request (session_no, position, requested_at_ms, due_at_ms) VALUES (?1, ?2, ?3, ?4);
