-- paused_sessions
SELECT session_no, paused_at_ms FROM session_pause ORDER BY session_no;
