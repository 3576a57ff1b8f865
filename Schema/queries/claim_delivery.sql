-- ?1 delivery_no, ?2 holder
INSERT INTO delivery_work (
    delivery_no, claims, attempts, fence, holder, next_attempt_at_ms, first_sent_at_ms, frozen, body_digest, status_address,
    contract_breaks, unclear, explanation
) VALUES (?1, 1, 0, 1, ?2, 0, NULL, NULL, NULL, NULL, 0, 0, NULL)
ON CONFLICT (delivery_no) DO UPDATE SET claims = claims + 1, fence = fence + 1, holder = ?2;
