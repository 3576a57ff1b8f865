-- ?1 session_no
DELETE FROM interaction WHERE session_no = ?1;
