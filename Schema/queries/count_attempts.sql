-- count_attempts
-- Over the append-only log: what is counted here never falls, whatever is erased or rebuilt.
SELECT destination, kind, certainty, explanation, action, count(*), sum(bytes_sent)
FROM attempt GROUP BY destination, kind, certainty, explanation, action ORDER BY destination, kind, certainty, explanation, action;
