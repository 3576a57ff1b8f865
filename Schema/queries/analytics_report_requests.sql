-- Requests that began on certain days: a histogram of how long they took for each destination and result, its buckets rising. A
-- failed one had no answer, or one whose status is not 2xx.
-- ?1 TEXT first day, ?2 TEXT the day behind the last
SELECT
    destination, explanation, status, certainty <> 'answered' OR status NOT BETWEEN 200 AND 299 AS failed,
    below_ms, sum(requests)
FROM daily_request
WHERE day >= ?1 AND day < ?2
GROUP BY destination, explanation, status, failed, at_least_ms, below_ms
ORDER BY destination, at_least_ms
