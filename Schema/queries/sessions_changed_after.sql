-- ?1 position; sessions with events above it, without the ledger's own stream
SELECT DISTINCT e.session_no, s.session_id FROM event AS e JOIN session AS s ON s.session_no = e.session_no
WHERE e.position > ?1 AND e.session_no > 0;
