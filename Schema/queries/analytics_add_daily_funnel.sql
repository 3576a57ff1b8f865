-- ?1 day, ?2 context, ?3 piece, ?4 started, ?5 captured, ?6 checked, ?7 confirmed, ?8 verified, ?9 completed, ?10 dropped,
-- ?11 captures: what to add
INSERT INTO daily_funnel (
    day, context, piece, started, captured, checked, confirmed, verified, completed, dropped, captures
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
ON CONFLICT (day, context, piece) DO UPDATE SET
    started = started + excluded.started, captured = captured + excluded.captured, checked = checked + excluded.checked,
    confirmed = confirmed + excluded.confirmed, verified = verified + excluded.verified, completed = completed +
    excluded.completed, dropped = dropped + excluded.dropped, captures = captures + excluded.captures;
