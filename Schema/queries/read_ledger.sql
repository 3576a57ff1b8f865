SELECT ledger_id, epoch, created_at_ms FROM ledger WHERE only_row = 1;
