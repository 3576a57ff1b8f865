-- Every reason that somebody gave for a no.
SELECT DISTINCT reason
FROM daily_refusal
ORDER BY reason
