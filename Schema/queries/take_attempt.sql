-- the columns in their order; a row that is there already stays
INSERT INTO attempt (
    attempt_no, delivery_no, delivery_id, number, fence, destination, kind, started_at_ms, finished_at_ms, certainty,
    curl_code, status, bytes_sent, bytes_received, explanation, action, retry_after_ms, next_attempt_at_ms,
    table_version, evidence_id, evidence_digest
) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21
WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE attempt_no = ?1);
