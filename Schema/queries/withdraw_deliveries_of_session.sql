-- ?1 session_no, ?2 position of the event, ?3 cause
UPDATE delivery SET status = 5, settled_position = ?2, cause = ?3 WHERE session_no = ?1 AND status IN (1, 4);
