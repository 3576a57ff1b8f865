-- pause_session
-- ?1 session_no, ?2 position of the event, ?3 paused_at_ms
INSERT OR IGNORE INTO session_pause (session_no, position, paused_at_ms) VALUES (?1, ?2, ?3);
