-- move_destination_times
-- ?1 jump of the clock in ms
UPDATE destination_state SET
    paused_at_ms = paused_at_ms + ?1, probe_at_ms = probe_at_ms + ?1, breaker_until_ms = breaker_until_ms + ?1,
    last_delivered_at_ms = last_delivered_at_ms + ?1;
