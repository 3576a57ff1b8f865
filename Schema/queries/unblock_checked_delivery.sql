-- ?1 session_no, ?2 capture_id blob(16), ?3 what it waited for, ?4 what it still waits for, or NULL
UPDATE delivery SET blocked = ?4 WHERE session_no = ?1 AND capture_id = ?2 AND blocked = ?3;
