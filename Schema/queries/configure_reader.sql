PRAGMA query_only = ON;
PRAGMA cache_size = -8192;
PRAGMA temp_store = MEMORY;
