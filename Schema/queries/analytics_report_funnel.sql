-- How many sessions reached each stage, for the whole session (piece '') and for each piece, of sessions that began on certain days.
-- ?1 TEXT first day, ?2 TEXT the day behind the last, ?3 INTEGER 0 in one sum, 1 by context, 2 by day
SELECT
    CASE ?3 WHEN 1 THEN context WHEN 2 THEN day ELSE '' END AS name,
    piece,
    sum(started), sum(captured), sum(checked), sum(confirmed), sum(verified), sum(completed), sum(dropped), sum(captures)
FROM daily_funnel
WHERE day >= ?1 AND day < ?2
GROUP BY 1, piece
ORDER BY 1, piece
