-- postpone_erasure_requests
-- ?1 not due before, in ms
UPDATE erasure_request SET due_at_ms = max(due_at_ms, ?1);
