-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    session_no, command_id, body_digest, first_position, event_count
FROM receipt
WHERE ?1 = 0 OR event_count = 0 OR session_no IN (SELECT session_no FROM event WHERE position > ?1)
ORDER BY session_no, command_id;
