-- ?1 attempt_no, ?2 delivery_no, ?3 number, ?4 destination, ?5 kind, ?6 started_at_ms, ?7 finished_at_ms, ?8 certainty, ?9
-- curl_code, ?10 status, ?11 bytes_sent, ?12 bytes_received, ?13 explanation, ?14 action
INSERT INTO attempt (
    attempt_no, delivery_no, number, destination, kind, started_at_ms, finished_at_ms, certainty, curl_code, status, bytes_sent,
    bytes_received, explanation, action
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14);
