-- ?1 session_no, ?2 piece, ?3 ordinal, ?4 status, ?5 attempts, ?6 refusals, ?7 captured_position or NULL, ?8 captured_at_ms
-- or NULL, ?9 checked_position or NULL, ?10 checked_at_ms or NULL, ?11 confirmed_position or NULL, ?12 confirmed_at_ms or
-- NULL, ?13 verified_position or NULL, ?14 verified_at_ms or NULL, ?15 dropped_position or NULL
INSERT INTO piece (
    session_no, piece, ordinal, status, attempts, refusals, captured_position, captured_at_ms, checked_position, checked_at_ms,
    confirmed_position, confirmed_at_ms, verified_position, verified_at_ms, dropped_position
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15);
