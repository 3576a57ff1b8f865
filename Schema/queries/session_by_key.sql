-- ?1 key_no
SELECT session_no FROM session WHERE key_no = ?1;
