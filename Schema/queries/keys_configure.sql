-- A rollback journal that is deleted and deleted content that is overwritten, so that a destroyed key is in no file. EXTRA: the
-- folder is synchronized after the journal is deleted; else a power loss could bring the journal, and with it the key, back.
PRAGMA journal_mode = DELETE;
PRAGMA secure_delete = ON;
PRAGMA synchronous = EXTRA;
