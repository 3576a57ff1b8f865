SELECT
    name, wrapped
FROM ledger_key
ORDER BY name;
