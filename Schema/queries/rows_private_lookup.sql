-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    kind, digest, session_no
FROM private_lookup
WHERE ?1 = 0 OR session_no IN (SELECT session_no FROM event WHERE position > ?1)
ORDER BY kind, digest, session_no;
