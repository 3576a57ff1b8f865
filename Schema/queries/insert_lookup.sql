-- ?1 kind, ?2 digest blob(16), ?3 session_no
INSERT OR IGNORE INTO private_lookup (kind, digest, session_no) VALUES (?1, ?2, ?3);
