-- move_work_times
-- ?1 jump of the clock in ms
UPDATE delivery_work SET
    next_attempt_at_ms = CASE WHEN next_attempt_at_ms > 0 THEN next_attempt_at_ms + ?1 ELSE 0 END,
    first_sent_at_ms = first_sent_at_ms + ?1
WHERE delivery_no IN (SELECT delivery_no FROM delivery WHERE status IN (1, 4));
