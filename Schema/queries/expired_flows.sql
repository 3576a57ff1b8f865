-- ?1 now in ms, ?2 how many at most
SELECT session_no FROM flow WHERE expires_at_ms <= ?1 AND ended_at_ms IS NULL ORDER BY expires_at_ms LIMIT ?2;
