-- ?1 sessions above this session_no, ?2 up to and including this one, ?3 positions up to and including: what projections look at, session
-- after session
SELECT
    position, session_no, type, schema_version, recorded_at_ms, piece, source, outcome, duration_ms, capture_id, reason, facts
FROM event WHERE session_no > ?1 AND session_no <= ?2 AND position <= ?3 ORDER BY session_no, version;
