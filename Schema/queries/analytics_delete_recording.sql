-- ?1 session_no
DELETE FROM recording WHERE session_no = ?1;
