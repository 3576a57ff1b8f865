-- the columns in their order
INSERT INTO destination_state (
    destination, paused_reason, paused_at_ms, probe_at_ms, paused_credential, contract_break_witness, failures,
    last_delivered_at_ms, breaker_until_ms, breaker_openings, breaker_reason
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);
