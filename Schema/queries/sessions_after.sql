-- ?1 sessions above this session_no, ?2 limit; without the ledger's own stream
SELECT session_no, session_id FROM session WHERE session_no > ?1 AND session_no > 0 ORDER BY session_no LIMIT ?2;
