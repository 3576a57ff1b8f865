-- ?1 delivery_no, ?2 now in ms: a person asked for it, so counters restart
UPDATE delivery_work SET claims = 0, attempts = 0, contract_breaks = 0, next_attempt_at_ms = ?2, first_sent_at_ms = NULL
WHERE delivery_no = ?1;
