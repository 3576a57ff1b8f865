-- ?1 epoch blob(16)
UPDATE ledger SET epoch = ?1 WHERE only_row = 1;
