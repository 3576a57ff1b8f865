-- ?1 delivery_no
SELECT claims, attempts, fence, holder, next_attempt_at_ms, first_sent_at_ms, frozen, body_digest, status_address, contract_breaks,
    unclear, explanation
FROM delivery_work WHERE delivery_no = ?1;
