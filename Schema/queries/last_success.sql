-- last_success
-- When a delivery last came to its end with an answer, verified (2) or rejected (3); nothing where none did.
SELECT recorded_at_ms FROM event WHERE position = (SELECT max(settled_position) FROM delivery WHERE status IN (2, 3));
