-- move_deadlines
-- ?1 jump of the clock in ms
UPDATE flow SET expires_at_ms = expires_at_ms + ?1 WHERE expires_at_ms IS NOT NULL;
