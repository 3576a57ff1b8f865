-- How often pieces were captured, of sessions that began on certain days.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT piece, attempts, sum(pieces), sum(CASE verified WHEN 1 THEN pieces ELSE 0 END)
FROM daily_attempts
WHERE day >= ?1 AND day < ?2
GROUP BY piece, attempts
ORDER BY piece, attempts
