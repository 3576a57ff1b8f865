-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    position, session_no, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, command_id,
    correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, facts, private
FROM event
WHERE position > ?1
ORDER BY position;
