-- ?1 day, ?2 context, ?3 piece, ?4 origin, ?5 reason, ?6 refusals, ?7 captures, ?8 sessions: what to add
INSERT INTO daily_refusal (
    day, context, piece, origin, reason, refusals, captures, sessions
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (day, context, piece, origin, reason) DO UPDATE SET
    refusals = refusals + excluded.refusals, captures = captures + excluded.captures, sessions = sessions + excluded.sessions;
