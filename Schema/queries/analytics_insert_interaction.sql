-- ?1 session_no, ?2 position, ?3 at_ms, ?4 piece or NULL, ?5 interaction
INSERT INTO interaction (
    session_no, position, at_ms, piece, interaction
) VALUES (?1, ?2, ?3, ?4, ?5);
