-- ?1 key_no, ?2 wrapped blob(61)
INSERT INTO session_key (key_no, state, wrapped, destroyed_at_ms) VALUES (?1, 1, ?2, NULL);
