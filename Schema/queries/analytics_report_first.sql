-- When the first session began; NULL in an empty ledger.
SELECT min(started_at_ms)
FROM session
