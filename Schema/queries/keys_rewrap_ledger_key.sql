-- ?1 name, ?2 wrapped blob(61)
UPDATE ledger_key SET wrapped = ?2 WHERE name = ?1;
