-- ?1 session_no
DELETE FROM refusal WHERE session_no = ?1;
