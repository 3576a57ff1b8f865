-- the columns in their order
INSERT OR REPLACE INTO delivery_work (
    delivery_no, claims, attempts, fence, holder, next_attempt_at_ms, first_sent_at_ms, frozen, body_digest,
    status_address, contract_breaks, unclear, explanation
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);
