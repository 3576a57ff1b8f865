SELECT destination, count(*) FROM delivery WHERE status = 1 AND blocked IS NOT NULL GROUP BY destination ORDER BY destination;
