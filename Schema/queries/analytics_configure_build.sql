-- While it is made beside: nobody reads it, and after a crash it is made again.
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -16384;
PRAGMA temp_store = MEMORY;
