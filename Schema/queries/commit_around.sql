-- ?1 position
SELECT first_position, last_position FROM event_commit WHERE last_position >= ?1 ORDER BY last_position LIMIT 1;
