-- How the rebuilt tables and their indexes are made, tables first, and their names.
SELECT sql, name FROM sqlite_schema WHERE tbl_name IN ('flow', 'delivery') AND sql IS NOT NULL ORDER BY type DESC, name;
