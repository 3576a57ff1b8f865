-- ?1 session_no, ?2 position, ?3 number, ?4 capture_position or NULL, ?5 piece, ?6 metric, ?7 value, ?8 passed or NULL, ?9
-- direction or NULL, ?10 threshold or NULL, ?11 policy_version or NULL
INSERT INTO finding (
    session_no, position, number, capture_position, piece, metric, value, passed, direction, threshold, policy_version
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);
