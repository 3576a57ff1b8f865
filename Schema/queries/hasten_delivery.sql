-- hasten_delivery
-- ?1 delivery_no, ?2 now in ms: a person does not want to wait; counters stay, and so does what a worker has in hand
UPDATE delivery_work SET next_attempt_at_ms = ?2 WHERE delivery_no = ?1 AND holder IS NULL;
