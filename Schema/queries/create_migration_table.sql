CREATE TABLE IF NOT EXISTS migration (
    version INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 BLOB NOT NULL CONSTRAINT migration_digest_has_32_bytes CHECK (length(sha256) = 32),
    reader INTEGER NOT NULL,
    writer INTEGER NOT NULL,
    applied_at_ms INTEGER NOT NULL
) STRICT;
