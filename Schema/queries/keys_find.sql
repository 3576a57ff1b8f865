-- ?1 key_no
SELECT state, wrapped FROM session_key WHERE key_no = ?1;
