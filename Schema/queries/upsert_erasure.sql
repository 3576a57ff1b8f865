-- ?1 session_no, ?2 requested_at_ms
INSERT OR IGNORE INTO erasure (session_no, requested_at_ms) VALUES (?1, ?2);
