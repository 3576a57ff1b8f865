-- keys.sqlite, version 1 (PRAGMA user_version). A key that was destroyed leaves its row and nothing of its bytes.
CREATE TABLE session_key (
    key_no INTEGER NOT NULL PRIMARY KEY CONSTRAINT key_numbers_count_from_one CHECK (key_no >= 1),
    state INTEGER NOT NULL,
    wrapped BLOB,
    destroyed_at_ms INTEGER,
    CONSTRAINT key_is_usable_or_destroyed CHECK (
        state = 1 AND wrapped IS NOT NULL AND length(wrapped) = 61 AND destroyed_at_ms IS NULL
        OR state = 2 AND wrapped IS NULL AND destroyed_at_ms IS NOT NULL
    )
) STRICT;

CREATE TABLE ledger_key (
    name TEXT NOT NULL PRIMARY KEY,
    wrapped BLOB NOT NULL CONSTRAINT wrapped_ledger_key_has_61_bytes CHECK (length(wrapped) = 61)
) STRICT, WITHOUT ROWID;

-- REPLACE would pass the two triggers below this one.
CREATE TRIGGER session_key_is_minted_once BEFORE INSERT ON session_key
WHEN EXISTS (SELECT 1 FROM session_key WHERE key_no = NEW.key_no)
BEGIN
    SELECT raise(ABORT, 'a session key is minted once');
END;

-- A destroyed key never comes back, and a wrapped one is never exchanged.
CREATE TRIGGER session_key_is_only_ever_destroyed BEFORE UPDATE ON session_key
WHEN OLD.state = 2 OR NEW.state <> 2 OR NEW.key_no IS NOT OLD.key_no
BEGIN
    SELECT raise(ABORT, 'a session key can only be destroyed');
END;

CREATE TRIGGER session_key_is_never_deleted BEFORE DELETE ON session_key
BEGIN
    SELECT raise(ABORT, 'the row of a session key is never deleted');
END;

PRAGMA user_version = 1;
