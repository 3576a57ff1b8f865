-- ?1 session_no
SELECT session_id, key_no FROM session WHERE session_no = ?1;
