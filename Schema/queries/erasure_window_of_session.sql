-- ?1 session_no
SELECT requested_at_ms, due_at_ms FROM erasure_request WHERE session_no = ?1;
