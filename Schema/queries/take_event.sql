-- the columns in their order
INSERT INTO event (
    position, session_no, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, command_id,
    correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, facts, private
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21);
