-- ?1 digest blob(32), ?2 json
INSERT OR IGNORE INTO configuration (digest, json) VALUES (?1, ?2);
