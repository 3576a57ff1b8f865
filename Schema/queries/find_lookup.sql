-- ?1 kind, ?2 digest blob(16)
SELECT session_no FROM private_lookup WHERE kind = ?1 AND digest = ?2 ORDER BY session_no;
