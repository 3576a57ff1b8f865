-- The newest event's position, NULL in an empty ledger.
SELECT max(position) FROM event;
