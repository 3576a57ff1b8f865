-- ?1 keys above this key_no, ?2 how many at most
SELECT key_no, wrapped FROM session_key WHERE key_no > ?1 AND state = 1 ORDER BY key_no LIMIT ?2;
