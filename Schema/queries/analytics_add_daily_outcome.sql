-- ?1 day, ?2 context, ?3 outcome, ?4 exit_class, ?5 stopped_piece, ?6 stopped_step, ?7 sessions: what to add
INSERT INTO daily_outcome (
    day, context, outcome, exit_class, stopped_piece, stopped_step, sessions
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (day, context, outcome, exit_class, stopped_piece, stopped_step) DO UPDATE SET
    sessions = sessions + excluded.sessions;
