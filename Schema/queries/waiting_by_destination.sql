-- waiting_by_destination
-- What waits, by destination, in one pass over it: how many may be sent, the oldest of those, how many wait for something else than time
-- (blocked, a paused session, an undo window), and of them the holograms without a transaction with the first one's delivery_no.
WITH waiting AS (
    SELECT destination, count(*) AS deliveries, count(blocked) AS blocked,
        count(CASE WHEN blocked = 'transaction' THEN 1 END) AS transactions,
        min(CASE WHEN blocked = 'transaction' THEN delivery_no END) AS first_transaction
    FROM delivery WHERE status = 1 GROUP BY destination
), held AS (
    SELECT d.destination, count(*) AS deliveries
    FROM (SELECT session_no FROM session_pause UNION SELECT session_no FROM erasure_request) AS s
    CROSS JOIN delivery AS d ON d.session_no = s.session_no
    WHERE d.status = 1 AND d.blocked IS NULL GROUP BY d.destination
)
SELECT a.destination, a.deliveries - a.blocked - coalesce(h.deliveries, 0), d.delivery_id, e.recorded_at_ms, w.explanation,
    a.blocked + coalesce(h.deliveries, 0), a.transactions, a.first_transaction
FROM waiting AS a
LEFT JOIN held AS h ON h.destination = a.destination
LEFT JOIN delivery AS d ON d.delivery_no = (
    SELECT o.delivery_no FROM delivery AS o
    WHERE o.status = 1 AND o.destination = a.destination AND o.blocked IS NULL
        AND NOT EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = o.session_no)
        AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = o.session_no)
    ORDER BY o.delivery_no LIMIT 1
)
LEFT JOIN event AS e ON e.position = d.delivery_no
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
ORDER BY a.destination;
