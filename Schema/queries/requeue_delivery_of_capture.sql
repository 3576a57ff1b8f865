-- ?1 session_no, ?2 capture_id blob(16)
UPDATE delivery SET status = 1, settled_position = NULL, cause = NULL WHERE session_no = ?1 AND capture_id = ?2 AND status = 4;
