SELECT
    session_no, position, requested_at_ms, due_at_ms
FROM erasure_request
ORDER BY session_no;
