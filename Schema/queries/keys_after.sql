-- ?1 keys above, ?2 how many at most
SELECT key_no, state, wrapped, destroyed_at_ms FROM session_key WHERE key_no > ?1 ORDER BY key_no LIMIT ?2;
