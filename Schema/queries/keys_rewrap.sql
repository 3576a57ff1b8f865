-- ?1 key_no, ?2 wrapped blob(61)
UPDATE session_key SET wrapped = ?2 WHERE key_no = ?1 AND state = 1;
