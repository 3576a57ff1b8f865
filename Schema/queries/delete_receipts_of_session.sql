-- ?1 session_no
DELETE FROM receipt WHERE session_no = ?1;
