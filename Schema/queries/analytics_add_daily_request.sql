-- ?1 day, ?2 destination, ?3 kind, ?4 certainty, ?5 status, ?6 curl_code, ?7 explanation, ?8 at_least_ms, ?9 below_ms, ?10
-- requests: what to add
INSERT INTO daily_request (
    day, destination, kind, certainty, status, curl_code, explanation, at_least_ms, below_ms, requests
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (day, destination, kind, certainty, status, curl_code, explanation, at_least_ms) DO UPDATE SET
    requests = requests + excluded.requests;
