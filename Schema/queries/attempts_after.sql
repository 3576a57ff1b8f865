-- ?1 attempts above, ?2 up to and including: what says nothing about a person
SELECT
    attempt_no, delivery_no, number, destination, kind, started_at_ms, finished_at_ms, certainty, curl_code, status, bytes_sent,
    bytes_received, explanation, action
FROM attempt WHERE attempt_no > ?1 AND attempt_no <= ?2 ORDER BY attempt_no;
