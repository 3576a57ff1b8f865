SELECT last_position, committed_at_ms, chain FROM event_commit ORDER BY last_position DESC LIMIT 1;
