-- Before the first table: what cannot be changed later.
PRAGMA page_size = 8192;
PRAGMA application_id = 0x434C4447;
PRAGMA journal_mode = WAL;
