-- ?1 day, ?2 context, ?3 piece, ?4 step, ?5 at_least_ms, ?6 below_ms, ?7 times: what to add
INSERT INTO daily_step_time (
    day, context, piece, step, at_least_ms, below_ms, times
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (day, context, piece, step, at_least_ms) DO UPDATE SET
    times = times + excluded.times;
