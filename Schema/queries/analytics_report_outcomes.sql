-- What became of sessions that began on certain days, and where those that did not complete stand or stopped.
-- ?1 TEXT first day, ?2 TEXT the day behind the last, ?3 INTEGER 0 in one sum, 1 by context, 2 by day
SELECT
    CASE ?3 WHEN 1 THEN context WHEN 2 THEN day ELSE '' END AS name,
    outcome, exit_class, stopped_piece, stopped_step, sum(sessions),
    (SELECT code >= 10 FROM code_name WHERE kind = 'outcome' AND code_name.name = outcome) AS still_runs
FROM daily_outcome
WHERE day >= ?1 AND day < ?2
GROUP BY 1, outcome, exit_class, stopped_piece, stopped_step
ORDER BY 1, outcome, exit_class, stopped_piece, stopped_step
