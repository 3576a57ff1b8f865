SELECT
    destination, paused_reason, paused_at_ms, probe_at_ms, paused_credential, contract_break_witness, failures,
    last_delivered_at_ms, breaker_until_ms, breaker_openings, breaker_reason
FROM destination_state
ORDER BY destination;
