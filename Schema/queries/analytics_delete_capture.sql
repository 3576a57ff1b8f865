-- ?1 session_no
DELETE FROM capture WHERE session_no = ?1;
