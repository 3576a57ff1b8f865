-- ?1 delivery_no, ?2 fence, ?3 attempts, ?4 next_attempt_at_ms, ?5 first_sent_at_ms, ?6 status_address sealed blob, ?7 contract_breaks,
-- ?8 unclear 0 or 1, ?9 explanation
UPDATE delivery_work SET
    claims = 0, holder = NULL, attempts = ?3, next_attempt_at_ms = ?4, first_sent_at_ms = ?5, status_address = ?6,
    contract_breaks = ?7, unclear = ?8, explanation = ?9
WHERE delivery_no = ?1 AND fence = ?2;
