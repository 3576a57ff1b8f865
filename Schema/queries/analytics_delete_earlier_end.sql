-- ?1 session_no
DELETE FROM earlier_end WHERE session_no = ?1;
