-- the columns in their order
INSERT INTO event_commit (
    last_position, first_position, committed_at_ms, chain
) VALUES (?1, ?2, ?3, ?4);
