-- 1 when the file holds the tables; the schema's own table is read, so that a damaged header is noticed.
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('progress', 'session', 'capture', 'daily_funnel');
