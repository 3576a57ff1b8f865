-- parked_by_cause
SELECT destination, coalesce(cause, ''), count(*) FROM delivery WHERE status = 4 GROUP BY destination, cause ORDER BY destination, cause;
