SELECT
    session_no, position, paused_at_ms
FROM session_pause
ORDER BY session_no;
