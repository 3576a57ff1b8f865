SELECT s.session_id, s.key_no, r.requested_at_ms FROM erasure AS r JOIN session AS s ON s.session_no = r.session_no
ORDER BY r.session_no;
