-- ?1 attempts above this attempt_no
SELECT attempt_no, delivery_id, number, fence, destination, kind, started_at_ms, finished_at_ms, certainty, curl_code, status,
    bytes_sent, bytes_received, explanation, action, retry_after_ms, next_attempt_at_ms, table_version, evidence_id, evidence_digest
FROM attempt WHERE attempt_no > ?1 ORDER BY attempt_no;
