-- set_destination_breaker
-- ?1 destination, ?2 breaker_until_ms or NULL, ?3 breaker_openings, ?4 breaker_reason or NULL
INSERT INTO destination_state (
    destination, paused_reason, paused_at_ms, probe_at_ms, paused_credential, contract_break_witness, failures,
    last_delivered_at_ms, breaker_until_ms, breaker_openings, breaker_reason
) VALUES (?1, NULL, NULL, NULL, NULL, NULL, 0, NULL, ?2, ?3, ?4)
ON CONFLICT (destination) DO UPDATE SET breaker_until_ms = ?2, breaker_openings = ?3, breaker_reason = ?4;
