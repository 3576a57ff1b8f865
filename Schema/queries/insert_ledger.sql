-- ?1 ledger_id blob(16), ?2 epoch blob(16), ?3 created_at_ms
INSERT INTO ledger (only_row, ledger_id, epoch, created_at_ms) VALUES (1, ?1, ?2, ?3);
