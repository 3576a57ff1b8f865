-- ?1 session_no, ?2 position, ?3 at_ms, ?4 capture_id, ?5 piece, ?6 attempt, ?7 source, ?8 checked_position or NULL, ?9
-- checked_at_ms or NULL, ?10 checks_passed or NULL, ?11 confirmed_position or NULL, ?12 confirmed_at_ms or NULL, ?13
-- destination or NULL, ?14 answered_position or NULL, ?15 answered_at_ms or NULL, ?16 answer or NULL, ?17 requests or NULL,
-- ?18 score or NULL, ?19 taken_back_position or NULL, ?20 purged_position or NULL
INSERT INTO capture (
    session_no, position, at_ms, capture_id, piece, attempt, source, checked_position, checked_at_ms, checks_passed,
    confirmed_position, confirmed_at_ms, destination, answered_position, answered_at_ms, answer, requests, score,
    taken_back_position, purged_position
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20);
