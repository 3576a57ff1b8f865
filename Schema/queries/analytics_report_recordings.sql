-- How hologram recordings ended and how many targets of the tilt they had passed, of sessions that began in a time.
-- ?1 INTEGER first time (ms), ?2 INTEGER the time behind the last (ms)
SELECT r.targets, coalesce(r.ended_by, ''), count(*), count(DISTINCT r.session_no)
FROM recording AS r
JOIN session AS s ON s.session_no = r.session_no
WHERE s.started_at_ms >= ?1 AND s.started_at_ms < ?2
GROUP BY r.targets, coalesce(r.ended_by, '')
ORDER BY r.targets, coalesce(r.ended_by, '')
