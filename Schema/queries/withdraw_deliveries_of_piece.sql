-- ?1 session_no, ?2 piece, ?3 position of the event, ?4 cause
UPDATE delivery SET status = 5, settled_position = ?3, cause = ?4 WHERE session_no = ?1 AND piece = ?2 AND status IN (1, 4);
