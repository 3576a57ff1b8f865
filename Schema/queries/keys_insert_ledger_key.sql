-- ?1 name, ?2 wrapped blob(61)
INSERT INTO ledger_key (name, wrapped) VALUES (?1, ?2);
