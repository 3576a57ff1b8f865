-- A database that nobody reads after a crash.
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -8192;
PRAGMA temp_store = MEMORY;
