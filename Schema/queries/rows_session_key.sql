-- ?1 keys up to this key_no, and every one below a destroyed one: the pool above is made anew where it is needed
SELECT
    key_no, state, wrapped, destroyed_at_ms
FROM session_key
WHERE key_no <= max(?1, (SELECT coalesce(max(key_no), 0) FROM session_key WHERE state = 2))
ORDER BY key_no;
