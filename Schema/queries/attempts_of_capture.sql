-- The attempts at a capture's deliveries, by the events that confirmed it. ?1 session_no, ?2 capture_id, ?3 delivery_id
SELECT delivery_id, number, fence, destination, kind, started_at_ms, finished_at_ms, certainty, curl_code, status, bytes_sent,
    bytes_received, explanation, action, retry_after_ms, next_attempt_at_ms, table_version, evidence_id, evidence_digest
FROM attempt WHERE delivery_id = ?3 AND delivery_no IN (
    SELECT position FROM event WHERE session_no = ?1 AND type = 7 AND capture_id = ?2);
