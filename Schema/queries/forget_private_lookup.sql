-- ?1 what comes after this position brings these look-ups again
DELETE FROM private_lookup WHERE session_no IN (SELECT session_no FROM event WHERE position > ?1);
