-- The newest row of the delivery log, 0 where there is none.
SELECT coalesce(max(attempt_no), 0) FROM attempt;
