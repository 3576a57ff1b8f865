-- status_counts
-- ?1 session_no above, ?2 session_no up to
-- Asked part by part: SQLite sorts what it groups, in memory, and would so with every session of the ledger.
SELECT status, phase, count(*) FROM flow WHERE session_no > ?1 AND session_no <= ?2 GROUP BY status, phase;
