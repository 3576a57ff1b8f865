-- reader 1, writer 3: an older version reads all it knows of; it must not write, since it would sign nothing and erase without waiting.
-- What proves the log to others, and erasures that can still be withdrawn.

-- An erasure in its undo window: nothing of the session opens any more, and everything is still there. The row goes when it is
-- withdrawn, or when its time has come and it becomes a row of `erasure`. `position` is that of its `erasure_requested`.
CREATE TABLE erasure_request (
    session_no INTEGER NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    requested_at_ms INTEGER NOT NULL,
    due_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX erasure_request_that_is_due ON erasure_request (due_at_ms);

-- Originals whose destruction is on record and whose files may still be there; the row goes when they are gone.
CREATE TABLE media_destruction (
    capture_id BLOB NOT NULL PRIMARY KEY CONSTRAINT destroyed_capture_has_16_bytes CHECK (length(capture_id) = 16),
    session_no INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far the retention rules have looked, session by session; they begin again at the end.
CREATE TABLE retention_cursor (
    only_row INTEGER NOT NULL PRIMARY KEY CONSTRAINT retention_cursor_is_one_row CHECK (only_row = 1),
    session_no INTEGER NOT NULL
) STRICT;

-- The public halves of the keys that sign checkpoints, oldest first; their private halves are wrapped in keys.sqlite. All but the
-- first are signed by the one before.
CREATE TABLE signing_key (
    generation INTEGER NOT NULL PRIMARY KEY,
    public_key BLOB NOT NULL CONSTRAINT public_key_has_32_bytes CHECK (length(public_key) = 32),
    created_at_ms INTEGER NOT NULL,
    endorsement BLOB CONSTRAINT endorsement_has_64_bytes CHECK (length(endorsement) = 64),
    CONSTRAINT first_key_has_no_endorser CHECK ((generation = 1) = (endorsement IS NULL))
) STRICT;

CREATE TRIGGER signing_key_insert_appends BEFORE INSERT ON signing_key
WHEN NEW.generation IS NOT coalesce((SELECT max(generation) FROM signing_key), 0) + 1
BEGIN
    SELECT raise(ABORT, 'signing keys are append-only: the generation is not the next one');
END;

CREATE TRIGGER signing_key_is_never_changed BEFORE UPDATE ON signing_key
BEGIN
    SELECT raise(ABORT, 'signing keys are append-only: a key is never changed');
END;

CREATE TRIGGER signing_key_is_never_deleted BEFORE DELETE ON signing_key
BEGIN
    SELECT raise(ABORT, 'signing keys are append-only: a key is never deleted');
END;

-- Every checkpoint that was ever signed, so that none contradicts an earlier one. `note` is the signed note as it was given out.
CREATE TABLE checkpoint (
    tree_size INTEGER NOT NULL PRIMARY KEY,
    root BLOB NOT NULL CONSTRAINT root_has_32_bytes CHECK (length(root) = 32),
    generation INTEGER NOT NULL,
    signed_at_ms INTEGER NOT NULL,
    note TEXT NOT NULL
) STRICT;

CREATE TRIGGER checkpoint_insert_appends BEFORE INSERT ON checkpoint
WHEN NEW.tree_size <= coalesce((SELECT max(tree_size) FROM checkpoint), -1)
BEGIN
    SELECT raise(ABORT, 'checkpoints are append-only: a larger tree is signed already');
END;

CREATE TRIGGER checkpoint_is_never_changed BEFORE UPDATE ON checkpoint
BEGIN
    SELECT raise(ABORT, 'checkpoints are append-only: a checkpoint is never changed');
END;

CREATE TRIGGER checkpoint_is_never_deleted BEFORE DELETE ON checkpoint
BEGIN
    SELECT raise(ABORT, 'checkpoints are append-only: a checkpoint is never deleted');
END;

-- Which checkpoints a witness has taken, with its cosignature where it gave one.
CREATE TABLE witnessed (
    destination TEXT NOT NULL,
    tree_size INTEGER NOT NULL,
    witnessed_at_ms INTEGER NOT NULL,
    cosignature TEXT,
    CONSTRAINT checkpoint_is_witnessed_once PRIMARY KEY (destination, tree_size)
) STRICT, WITHOUT ROWID;
