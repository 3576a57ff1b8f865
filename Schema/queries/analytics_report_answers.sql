-- What destinations answered for captures of sessions that began on certain days; late answers left out.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT destination, answer, sum(captures), sum(requests)
FROM daily_answer
WHERE day >= ?1 AND day < ?2
GROUP BY destination, answer
ORDER BY destination, answer
