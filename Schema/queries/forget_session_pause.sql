DELETE FROM session_pause;
