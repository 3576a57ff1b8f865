-- ?1 position
SELECT recorded_at_ms FROM event WHERE position = ?1;
