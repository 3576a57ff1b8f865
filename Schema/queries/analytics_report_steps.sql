-- How long steps took in sessions that began on certain days: a histogram for each step and piece, its buckets rising.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT step, piece, below_ms, sum(times)
FROM daily_step_time
WHERE day >= ?1 AND day < ?2
GROUP BY step, piece, at_least_ms, below_ms
ORDER BY step, piece, at_least_ms
