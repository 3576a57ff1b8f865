-- How often each check failed, by policy and threshold, in sessions that began on certain days; what was measured and not judged is
-- left out.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT piece, metric, policy_version, direction, threshold, sum(passed), sum(failed)
FROM daily_check
WHERE day >= ?1 AND day < ?2 AND direction <> ''
GROUP BY piece, metric, policy_version, direction, threshold
ORDER BY piece, metric, policy_version, direction, threshold
