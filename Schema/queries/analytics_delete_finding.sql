-- ?1 session_no
DELETE FROM finding WHERE session_no = ?1;
