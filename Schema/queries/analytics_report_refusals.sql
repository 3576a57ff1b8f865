-- Who said no to what, and why, in sessions that began on certain days; late ones left out.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT origin, piece, reason, sum(refusals), sum(captures), sum(sessions)
FROM daily_refusal
WHERE day >= ?1 AND day < ?2
GROUP BY origin, piece, reason
ORDER BY origin, piece, sum(refusals) DESC, reason
