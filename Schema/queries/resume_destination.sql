-- ?1 destination, ?2 1 when a person resumes: the machine never lifts a person's pause
UPDATE destination_state SET paused_reason = NULL, paused_at_ms = NULL, probe_at_ms = NULL, paused_credential = NULL
WHERE destination = ?1 AND (?2 = 1 OR paused_reason IS NOT 'by_operator');
