-- the columns in their order
INSERT INTO receipt (
    session_no, command_id, body_digest, first_position, event_count
) VALUES (?1, ?2, ?3, ?4, ?5);
