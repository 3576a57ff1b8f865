-- the columns in their order
INSERT INTO erasure (
    session_no, requested_at_ms, key_destroyed_at_ms, swept_at_ms
) VALUES (?1, ?2, ?3, ?4);
