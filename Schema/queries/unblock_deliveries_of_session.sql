-- ?1 session_no
UPDATE delivery SET blocked = NULL WHERE session_no = ?1 AND blocked IS NOT NULL;
