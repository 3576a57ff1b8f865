-- ?1 session_no
DELETE FROM session WHERE session_no = ?1;
