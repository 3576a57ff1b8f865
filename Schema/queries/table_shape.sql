-- ?1 TEXT a table. The page of its root, how many columns it has and how many of them are its key, and whether it has rowids; nothing
-- where its key is not its first columns in their order.
SELECT
    s.rootpage,
    (SELECT count(*) FROM pragma_table_info(s.name)),
    (SELECT count(*) FROM pragma_table_info(s.name) WHERE pk > 0),
    (SELECT NOT wr FROM pragma_table_list(s.name) WHERE schema = 'main')
FROM sqlite_schema AS s
WHERE s.type = 'table' AND s.name = ?1
    AND NOT EXISTS (SELECT 1 FROM pragma_table_info(s.name) WHERE pk > 0 AND pk <> cid + 1);
