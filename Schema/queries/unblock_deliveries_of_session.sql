-- ?1 session_no, ?2 what they waited for
UPDATE delivery SET blocked = NULL WHERE session_no = ?1 AND blocked = ?2;
