-- waiting_by_destination
-- The deliveries that may be sent, by destination; the columns without an aggregate are those of the oldest, as SQLite promises
-- for a query with a single min().
SELECT d.destination, count(*), min(d.delivery_no), d.delivery_id, e.recorded_at_ms, w.explanation
FROM delivery AS d
JOIN event AS e ON e.position = d.delivery_no
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.status = 1 AND d.blocked IS NULL AND NOT EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = d.session_no)
    AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no)
GROUP BY d.destination ORDER BY d.destination;
