-- ?1 a session's id as facts have it
SELECT
    position, session_no, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, command_id,
    correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, facts, private
FROM event WHERE session_no = 0 AND json_extract(facts, '$.session') = ?1 ORDER BY version;
