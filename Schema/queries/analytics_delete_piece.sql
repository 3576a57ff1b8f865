-- ?1 session_no
DELETE FROM piece WHERE session_no = ?1;
