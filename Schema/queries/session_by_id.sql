-- ?1 session_id blob(16)
SELECT session_no, key_no FROM session WHERE session_id = ?1;
