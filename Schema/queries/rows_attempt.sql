-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    attempt_no, delivery_no, delivery_id, number, fence, destination, kind, started_at_ms, finished_at_ms, certainty,
    curl_code, status, bytes_sent, bytes_received, explanation, action, retry_after_ms, next_attempt_at_ms,
    table_version, evidence_id, evidence_digest
FROM attempt
WHERE ?1 = 0 OR delivery_no IN (
    SELECT delivery_no FROM delivery WHERE status IN (1, 4) OR session_no IN (SELECT session_no FROM event WHERE position > ?1)
)
ORDER BY attempt_no;
