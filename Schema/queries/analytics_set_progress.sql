-- ?1 schema_version, ?2 ledger_id blob(16), ?3 epoch blob(16), ?4 position, ?5 recorded_at_ms or NULL, ?6 attempt_no
INSERT INTO progress (only_row, schema_version, ledger_id, epoch, position, recorded_at_ms, attempt_no)
VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (only_row) DO UPDATE SET
    schema_version = ?1, ledger_id = ?2, epoch = ?3, position = ?4, recorded_at_ms = ?5, attempt_no = ?6;
