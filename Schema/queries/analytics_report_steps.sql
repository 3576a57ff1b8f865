-- How long steps took in sessions that began on certain days: buckets of each day and context, in the table's own order; to sort and sum
-- hundreds of thousands of them here would take most of a second.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT step, piece, below_ms, times
FROM daily_step_time
WHERE day >= ?1 AND day < ?2
