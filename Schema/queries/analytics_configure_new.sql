-- One file for other tools: no write-ahead log beside it.
PRAGMA page_size = 8192;
PRAGMA application_id = 0x434C414E;
PRAGMA journal_mode = DELETE;
