-- ?1 delivery_no (position of piece_confirmed), ?2 delivery_id blob(16), ?3 session_no, ?4 capture_id blob(16), ?5 piece,
-- ?6 ordinal in the session's list, ?7 destination, ?8 strict_order 0 or 1, ?9 status, ?10 blocked: what it waits for, or NULL,
-- ?11 settled_position or NULL, ?12 cause or NULL
INSERT INTO delivery (
    delivery_no, delivery_id, session_no, capture_id, piece, ordinal, destination, strict_order, status, blocked, settled_position, cause
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);
