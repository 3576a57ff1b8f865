-- ?1 day, ?2 context, ?3 piece, ?4 step, ?5 at_least_ms: when nothing is left of it
DELETE FROM daily_step_time
WHERE day = ?1 AND context = ?2 AND piece = ?3 AND step = ?4 AND at_least_ms = ?5
    AND times = 0;
