-- ?1 a destination to leave out, or NULL
SELECT
    count(*) FILTER (WHERE d.status = 1), count(*) FILTER (WHERE d.status = 4),
    min(coalesce(w.next_attempt_at_ms, 0)) FILTER (WHERE d.status = 1 AND d.blocked IS NULL),
    min(e.recorded_at_ms) FILTER (WHERE d.status = 1)
FROM delivery AS d
JOIN event AS e ON e.position = d.delivery_no
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.status IN (1, 4) AND (?1 IS NULL OR d.destination <> ?1);
