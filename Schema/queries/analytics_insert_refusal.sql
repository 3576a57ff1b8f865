-- ?1 session_no, ?2 position, ?3 at_ms, ?4 piece, ?5 origin, ?6 reason, ?7 late, ?8 capture_position or NULL
INSERT INTO refusal (
    session_no, position, at_ms, piece, origin, reason, late, capture_position
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
