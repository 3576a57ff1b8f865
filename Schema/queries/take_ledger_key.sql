-- the columns in their order
INSERT INTO ledger_key (
    name, wrapped
) VALUES (?1, ?2);
