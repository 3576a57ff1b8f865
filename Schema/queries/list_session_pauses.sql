-- list_session_pauses
SELECT s.session_id, p.paused_at_ms FROM session_pause AS p JOIN session AS s ON s.session_no = p.session_no
ORDER BY p.position;
