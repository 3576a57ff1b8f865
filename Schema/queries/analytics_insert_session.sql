-- ?1 session_no, ?2 session_id, ?3 context or NULL, ?4 pieces, ?5 started_position, ?6 started_at_ms, ?7 captured_position or
-- NULL, ?8 captured_at_ms or NULL, ?9 checked_position or NULL, ?10 checked_at_ms or NULL, ?11 confirmed_position or NULL,
-- ?12 confirmed_at_ms or NULL, ?13 verified_position or NULL, ?14 verified_at_ms or NULL, ?15 outcome, ?16 exit_class or
-- NULL, ?17 ended_position or NULL, ?18 ended_at_ms or NULL, ?19 stopped_piece or NULL, ?20 stopped_step or NULL, ?21
-- captures, ?22 refusals, ?23 suspensions, ?24 erased_position or NULL, ?25 erased_at_ms or NULL, ?26 events, ?27
-- last_position, ?28 last_at_ms
INSERT INTO session (
    session_no, session_id, context, pieces, started_position, started_at_ms, captured_position, captured_at_ms,
    checked_position, checked_at_ms, confirmed_position, confirmed_at_ms, verified_position, verified_at_ms, outcome,
    exit_class, ended_position, ended_at_ms, stopped_piece, stopped_step, captures, refusals, suspensions, erased_position,
    erased_at_ms, events, last_position, last_at_ms
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28);
