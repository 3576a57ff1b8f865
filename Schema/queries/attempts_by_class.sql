-- Requests of every delivery by what became of them, with when that happened first and last.
SELECT destination, kind, certainty, curl_code, status, explanation, action, count(*), min(started_at_ms), max(finished_at_ms)
FROM attempt GROUP BY destination, kind, certainty, curl_code, status, explanation, action
ORDER BY destination, kind, certainty, curl_code, status, explanation, action;
