-- resume_session
-- ?1 session_no
DELETE FROM session_pause WHERE session_no = ?1;
