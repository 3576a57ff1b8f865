-- Quoted, so that a text in the form of a blob is another one. Indexes that SQLite makes by itself have no text. Statistics are nobody's
-- promise.
SELECT type, name, quote(type) || quote(name) || quote(tbl_name) || quote(sql) FROM sqlite_schema
WHERE name NOT LIKE 'sqlite~_stat%' ESCAPE '~' ORDER BY type, name;
