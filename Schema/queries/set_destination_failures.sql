-- ?1 destination, ?2 failures in a row
INSERT INTO destination_state (
    destination, paused_reason, paused_at_ms, probe_at_ms, paused_credential, contract_break_witness, failures,
    last_delivered_at_ms
) VALUES (?1, NULL, NULL, NULL, NULL, NULL, ?2, NULL)
ON CONFLICT (destination) DO UPDATE SET failures = ?2;
