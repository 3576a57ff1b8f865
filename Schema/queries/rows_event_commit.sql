-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    last_position, first_position, committed_at_ms, chain
FROM event_commit
WHERE last_position > ?1
ORDER BY last_position;
