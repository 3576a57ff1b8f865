SELECT
    session_no, requested_at_ms, key_destroyed_at_ms, swept_at_ms
FROM erasure
ORDER BY session_no;
