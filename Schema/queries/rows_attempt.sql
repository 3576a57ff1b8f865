-- ?1 where a part begins: an attempt need not have an event, so that every part has all of them
SELECT
    attempt_no, delivery_no, delivery_id, number, fence, destination, kind, started_at_ms, finished_at_ms, certainty,
    curl_code, status, bytes_sent, bytes_received, explanation, action, retry_after_ms, next_attempt_at_ms,
    table_version, evidence_id, evidence_digest
FROM attempt
WHERE ?1 >= 0
ORDER BY attempt_no;
