-- Acknowledged means durable; checkpoints are ours, under the writer lock; no memory map on a connection that writes.
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 0;
PRAGMA mmap_size = 0;
PRAGMA cache_size = -16384;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = ON;
