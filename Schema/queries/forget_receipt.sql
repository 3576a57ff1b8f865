-- ?1 what comes after this position brings these receipts again
DELETE FROM receipt WHERE event_count = 0 OR session_no IN (SELECT session_no FROM event WHERE position > ?1);
