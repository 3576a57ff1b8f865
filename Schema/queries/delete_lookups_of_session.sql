-- ?1 session_no
DELETE FROM private_lookup WHERE session_no = ?1;
