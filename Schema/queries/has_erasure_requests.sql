-- has_erasure_requests: a ledger that an older version made has no such table
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'erasure_request';
