-- the columns in their order
INSERT INTO erasure_request (
    session_no, position, requested_at_ms, due_at_ms
) VALUES (?1, ?2, ?3, ?4);
