-- ?1 day, ?2 context, ?3 piece, ?4 hint, ?5 target, ?6 observations, ?7 sessions: what to add
INSERT INTO daily_guidance (
    day, context, piece, hint, target, observations, sessions
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (day, context, piece, hint, target) DO UPDATE SET
    observations = observations + excluded.observations, sessions = sessions + excluded.sessions;
