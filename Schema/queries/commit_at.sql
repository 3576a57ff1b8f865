-- ?1 last_position
SELECT chain FROM event_commit WHERE last_position = ?1;
