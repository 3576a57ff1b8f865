-- is_session_paused
-- ?1 session_no
SELECT 1 FROM session_pause WHERE session_no = ?1;
