-- ?1 session_no
DELETE FROM delivery WHERE session_no = ?1;
