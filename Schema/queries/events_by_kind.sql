-- Events by their codes; one pass over the log.
SELECT type, piece, outcome, reason, count(*), min(recorded_at_ms), max(recorded_at_ms)
FROM event GROUP BY type, piece, outcome, reason ORDER BY type, piece, outcome, reason;
