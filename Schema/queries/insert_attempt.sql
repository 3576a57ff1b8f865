-- ?1 delivery_id blob(16), ?2 number, ?3 fence, ?4 destination, ?5 kind, ?6 started_at_ms, ?7 finished_at_ms, ?8 certainty,
-- ?9 curl_code, ?10 status, ?11 bytes_sent, ?12 bytes_received, ?13 explanation, ?14 action, ?15 retry_after_ms,
-- ?16 next_attempt_at_ms, ?17 table_version, ?18 evidence_id blob(16), ?19 evidence_digest blob(32), ?20 delivery_no
INSERT INTO attempt (
    delivery_id, number, fence, destination, kind, started_at_ms, finished_at_ms, certainty, curl_code, status, bytes_sent,
    bytes_received, explanation, action, retry_after_ms, next_attempt_at_ms, table_version, evidence_id, evidence_digest, delivery_no
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20);
