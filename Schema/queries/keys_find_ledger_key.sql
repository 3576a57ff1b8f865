-- ?1 name
SELECT wrapped FROM ledger_key WHERE name = ?1;
