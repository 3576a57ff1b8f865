SELECT destination, paused_reason, paused_at_ms, probe_at_ms, failures, last_delivered_at_ms FROM destination_state ORDER BY destination;
