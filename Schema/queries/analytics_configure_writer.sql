PRAGMA journal_mode = DELETE;
PRAGMA synchronous = FULL;
PRAGMA cache_size = -16384;
PRAGMA temp_store = MEMORY;
