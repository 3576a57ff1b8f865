-- ?1 destination, ?2 delivery_id blob(16) or NULL
INSERT INTO destination_state (
    destination, paused_reason, paused_at_ms, probe_at_ms, paused_credential, contract_break_witness, failures,
    last_delivered_at_ms
) VALUES (?1, NULL, NULL, NULL, NULL, ?2, 0, NULL)
ON CONFLICT (destination) DO UPDATE SET contract_break_witness = ?2;
