-- ?1 keys above this key_no, ?2 destroyed_at_ms
UPDATE session_key SET state = 2, wrapped = NULL, destroyed_at_ms = ?2 WHERE key_no > ?1 AND state = 1;
