-- ?1 position, ?2 session_no, ?3 version, ?4 event_id blob(16), ?5 type, ?6 schema_version, ?7 recorded_at_ms,
-- ?8 occurred_at_ms or NULL, ?9 flags, ?10 command_id, ?11 correlation_id, ?12 causation_position, ?13 actor, ?14 piece,
-- ?15 capture_id blob(16), ?16 source, ?17 outcome, ?18 reason, ?19 duration_ms, ?20 facts, ?21 private blob
INSERT INTO event (
    position, session_no, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, command_id,
    correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, facts, private
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21);
