-- ?1 session_no, ?2 position, ?3 at_ms, ?4 outcome, ?5 exit_class or NULL, ?6 resumed_position, ?7 resumed_at_ms
INSERT INTO earlier_end (
    session_no, position, at_ms, outcome, exit_class, resumed_position, resumed_at_ms
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);
