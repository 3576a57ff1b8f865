-- erasure_requests
-- ?1 session_no or NULL, ?2 those due by this time in ms, or NULL; what is due first comes first
SELECT r.session_no, s.session_id, r.position, r.requested_at_ms, r.due_at_ms
FROM erasure_request AS r
JOIN session AS s ON s.session_no = r.session_no
WHERE (?1 IS NULL OR r.session_no = ?1) AND (?2 IS NULL OR r.due_at_ms <= ?2)
ORDER BY r.due_at_ms, r.session_no;
