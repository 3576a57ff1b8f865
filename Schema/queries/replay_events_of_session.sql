-- ?1 positions above, ?2 up to and including, ?3 how many at most, ?4 session_id blob(16)
SELECT
    e.position, s.session_id, e.version, e.event_id, e.type, e.schema_version, e.recorded_at_ms, e.occurred_at_ms, e.flags,
    e.command_id, e.correlation_id, e.causation_position, e.actor, e.piece, e.capture_id, e.source, e.outcome, e.reason,
    e.duration_ms, e.facts, e.private IS NOT NULL
FROM session AS s CROSS JOIN event AS e ON e.session_no = s.session_no
WHERE s.session_id = ?4 AND e.position > ?1 AND e.position <= ?2 ORDER BY e.version LIMIT ?3;
