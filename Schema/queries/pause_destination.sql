-- pause_destination
-- ?1 destination, ?2 paused_reason, ?3 paused_at_ms, ?4 probe_at_ms or NULL, ?5 paused_credential or NULL, ?6 1 when a person
-- pauses: the machine never overwrites a person's pause
INSERT INTO destination_state (
    destination, paused_reason, paused_at_ms, probe_at_ms, paused_credential, contract_break_witness, failures,
    last_delivered_at_ms
) VALUES (?1, ?2, ?3, ?4, ?5, NULL, 0, NULL)
ON CONFLICT (destination) DO UPDATE SET
    paused_reason = ?2, paused_at_ms = ?3, probe_at_ms = ?4, paused_credential = ?5
WHERE ?6 = 1 OR paused_reason IS NOT 'by_operator';
