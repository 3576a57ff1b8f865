-- ?1 attempts that ended at this time in ms or later
-- What attempts came to other than being delivered, by destination; the most frequent first.
SELECT destination, explanation, count(*), max(finished_at_ms)
FROM attempt
WHERE finished_at_ms >= ?1 AND action <> 'deliver'
GROUP BY destination, explanation ORDER BY count(*) DESC, destination, explanation;
