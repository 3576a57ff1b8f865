-- ?1 TEXT an index. The page of its root, and how many columns an entry has: those that are named, and what leads to the row.
SELECT s.rootpage, (SELECT count(*) FROM pragma_index_xinfo(s.name))
FROM sqlite_schema AS s
WHERE s.type = 'index' AND s.name = ?1;
