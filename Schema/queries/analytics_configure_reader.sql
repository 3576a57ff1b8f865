PRAGMA query_only = ON;
PRAGMA cache_size = -16384;
PRAGMA temp_store = MEMORY;
