-- the columns in their order
INSERT INTO session_key (
    key_no, state, wrapped, destroyed_at_ms
) VALUES (?1, ?2, ?3, ?4);
