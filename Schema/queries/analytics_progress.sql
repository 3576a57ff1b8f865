SELECT schema_version, ledger_id, epoch, position, recorded_at_ms, attempt_no FROM progress;
