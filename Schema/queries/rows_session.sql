-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    session_no, session_id, key_no
FROM session
WHERE session_no > 0 AND (?1 = 0 OR session_no IN (SELECT session_no FROM event WHERE position > ?1 AND version = 1))
ORDER BY session_no;
