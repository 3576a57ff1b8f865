-- Tables with a row about something that is not there.
SELECT name FROM (
    SELECT 'receipt' AS name FROM receipt WHERE session_no NOT IN (SELECT session_no FROM session)
    UNION ALL SELECT 'private_lookup' AS name FROM private_lookup WHERE session_no NOT IN (SELECT session_no FROM session)
    UNION ALL SELECT 'erasure' AS name FROM erasure WHERE session_no NOT IN (SELECT session_no FROM session)
    UNION ALL SELECT 'erasure_request' AS name FROM erasure_request WHERE session_no NOT IN (SELECT session_no FROM session)
    UNION ALL SELECT 'media_destruction' AS name FROM media_destruction WHERE session_no NOT IN (SELECT session_no FROM session)
    UNION ALL SELECT 'session_pause' AS name FROM session_pause WHERE session_no NOT IN (SELECT session_no FROM session)
    UNION ALL SELECT 'receipt' FROM receipt WHERE event_count < 0 OR event_count > 0 AND (
        first_position < 1 OR first_position + event_count - 1 > (SELECT max(position) FROM event)
    )
    UNION ALL SELECT 'checkpoint' FROM checkpoint WHERE tree_size > (SELECT max(position) FROM event)
    UNION ALL SELECT 'session' FROM session WHERE session_no > 0 AND session_no NOT IN (SELECT session_no FROM event)
) LIMIT 1;
