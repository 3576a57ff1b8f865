-- ?1 positions above, ?2 up to and including; sessions with events there, without the ledger's own stream
SELECT DISTINCT session_no FROM event WHERE position > ?1 AND position <= ?2 AND session_no > 0 ORDER BY session_no;
