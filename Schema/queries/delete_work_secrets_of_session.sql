-- ?1 session_no
UPDATE delivery_work SET frozen = NULL, status_address = NULL
WHERE delivery_no IN (SELECT delivery_no FROM delivery WHERE session_no = ?1);
