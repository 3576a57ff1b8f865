-- ?1 day, ?2 context, ?3 piece, ?4 destination, ?5 answer, ?6 reason, ?7 captures, ?8 requests: what to add
INSERT INTO daily_answer (
    day, context, piece, destination, answer, reason, captures, requests
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (day, context, piece, destination, answer, reason) DO UPDATE SET
    captures = captures + excluded.captures, requests = requests + excluded.requests;
