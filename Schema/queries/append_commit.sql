-- ?1 last_position, ?2 first_position, ?3 committed_at_ms, ?4 chain blob(32)
INSERT INTO event_commit (last_position, first_position, committed_at_ms, chain) VALUES (?1, ?2, ?3, ?4);
