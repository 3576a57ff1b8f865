-- list_deliveries
-- ?1 deliveries above this delivery_no, ?2 how many at most, ?3 status or NULL, ?4 cause or NULL, ?5 destination or NULL,
-- ?6 piece or NULL, ?7 session_no or NULL, ?8 confirmed at this time in ms or later, or NULL, ?9 delivery_id or NULL
SELECT d.delivery_no, d.delivery_id, d.session_no, s.session_id, d.capture_id, d.piece, d.destination, d.status, d.blocked,
    d.cause, coalesce(w.attempts, 0), coalesce(w.claims, 0), w.holder, w.next_attempt_at_ms, w.first_sent_at_ms,
    w.status_address IS NOT NULL, w.explanation, d.settled_position,
    d.strict_order, d.ordinal, c.recorded_at_ms
FROM delivery AS d
JOIN event AS c ON c.position = d.delivery_no
JOIN session AS s ON s.session_no = d.session_no
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.delivery_no > ?1
    AND (?3 IS NULL OR d.status = ?3) AND (?4 IS NULL OR d.cause = ?4) AND (?5 IS NULL OR d.destination = ?5)
    AND (?6 IS NULL OR d.piece = ?6) AND (?7 IS NULL OR d.session_no = ?7)
    AND (?8 IS NULL OR c.recorded_at_ms >= ?8) AND (?9 IS NULL OR d.delivery_id = ?9)
ORDER BY d.delivery_no LIMIT ?2;
