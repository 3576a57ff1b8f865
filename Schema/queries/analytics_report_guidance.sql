-- What users were told while a hologram was recorded, and at which target of the tilt (-1 outside a recording), in sessions that
-- began on certain days.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT target, hint, sum(observations), sum(sessions)
FROM daily_guidance
WHERE day >= ?1 AND day < ?2 AND piece = 'hologram'
GROUP BY target, hint
ORDER BY target, hint
