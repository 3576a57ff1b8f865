-- ?1 positions above, ?2 up to and including, ?3 how many at most
SELECT
    position, session_no, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, command_id,
    correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, facts, private
FROM event WHERE position > ?1 AND position <= ?2 ORDER BY position LIMIT ?3;
