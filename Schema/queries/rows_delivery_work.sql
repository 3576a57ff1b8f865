-- ?1 the rows that events above this position can have made or changed; 0: all
SELECT
    delivery_no, claims, attempts, fence, holder, next_attempt_at_ms, first_sent_at_ms, frozen, body_digest,
    status_address, contract_breaks, unclear, explanation
FROM delivery_work
WHERE ?1 = 0 OR delivery_no IN (
    SELECT delivery_no FROM delivery WHERE status IN (1, 4) OR session_no IN (SELECT session_no FROM event WHERE position > ?1)
)
ORDER BY delivery_no;
