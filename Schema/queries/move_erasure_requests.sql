-- move_erasure_requests
-- ?1 jump of the clock in ms
UPDATE erasure_request SET due_at_ms = due_at_ms + ?1;
