SELECT coalesce(max(session_no), 0) FROM session;
