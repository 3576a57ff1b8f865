-- ?1 after this last_position
SELECT last_position, first_position, committed_at_ms, chain FROM event_commit WHERE last_position > ?1 ORDER BY last_position;
