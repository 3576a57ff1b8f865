-- ?1 session_no
SELECT d.delivery_no, d.delivery_id, d.session_no, s.session_id, d.capture_id, d.piece, d.destination, d.status, d.blocked,
    d.cause, coalesce(w.attempts, 0), coalesce(w.claims, 0), w.holder, w.next_attempt_at_ms, w.first_sent_at_ms,
    w.status_address IS NOT NULL, w.explanation, d.settled_position,
    d.strict_order, d.ordinal, e.recorded_at_ms
FROM delivery AS d
JOIN event AS e ON e.position = d.delivery_no
JOIN session AS s ON s.session_no = d.session_no
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.session_no = ?1 ORDER BY d.delivery_no;
