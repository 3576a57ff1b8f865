-- reader 1, writer 1: the oldest schema version whose code may read, or write, a ledger that has this migration.
-- What cannot change later: pages of 8 KiB (set before this file runs), both halves of an event, positions, the commit table,
-- the tiles, the assignment of keys. docs/storage-format.md gives the bytes.

CREATE TABLE ledger (
    only_row INTEGER NOT NULL PRIMARY KEY CONSTRAINT ledger_is_one_row CHECK (only_row = 1),
    ledger_id BLOB NOT NULL CONSTRAINT ledger_id_has_16_bytes CHECK (length(ledger_id) = 16),
    epoch BLOB NOT NULL CONSTRAINT epoch_has_16_bytes CHECK (length(epoch) = 16),
    created_at_ms INTEGER NOT NULL
) STRICT;

-- Names for the codes in `event`, for people who read the file with other tools.
CREATE TABLE code_name (
    kind TEXT NOT NULL,
    code INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT code_has_one_name PRIMARY KEY (kind, code)
) STRICT, WITHOUT ROWID;

-- session_no 0 is the ledger's own stream; it has no key.
CREATE TABLE session (
    session_no INTEGER NOT NULL PRIMARY KEY,
    session_id BLOB NOT NULL CONSTRAINT session_id_is_unique UNIQUE
        CONSTRAINT session_id_has_16_bytes CHECK (length(session_id) = 16),
    key_no INTEGER CONSTRAINT session_key_serves_one_session UNIQUE
) STRICT;

CREATE TABLE configuration (
    digest BLOB NOT NULL PRIMARY KEY CONSTRAINT configuration_digest_has_32_bytes CHECK (length(digest) = 32),
    json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
    position INTEGER NOT NULL PRIMARY KEY,
    session_no INTEGER NOT NULL,
    version INTEGER NOT NULL,
    event_id BLOB NOT NULL CONSTRAINT event_id_has_16_bytes CHECK (length(event_id) = 16),
    type INTEGER NOT NULL,
    schema_version INTEGER NOT NULL,
    recorded_at_ms INTEGER NOT NULL,
    occurred_at_ms INTEGER,
    flags INTEGER NOT NULL,
    command_id TEXT,
    correlation_id TEXT,
    causation_position INTEGER,
    actor TEXT,
    piece INTEGER,
    capture_id BLOB,
    source INTEGER,
    outcome INTEGER,
    reason TEXT,
    duration_ms INTEGER,
    facts TEXT NOT NULL,
    private BLOB
) STRICT;

CREATE UNIQUE INDEX event_of_session_in_order ON event (session_no, version);

-- REPLACE would pass the two triggers below this one: so an insert of anything but the next position and the session's next
-- version is refused before it starts.
CREATE TRIGGER event_insert_appends BEFORE INSERT ON event
WHEN NEW.position IS NOT coalesce((SELECT max(position) FROM event), 0) + 1
    OR NEW.version IS NOT coalesce((SELECT max(version) FROM event WHERE session_no = NEW.session_no), 0) + 1
BEGIN
    SELECT raise(ABORT, 'events are append-only: the position or the session version is not the next one');
END;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN
    SELECT raise(ABORT, 'events are append-only: an event is never changed');
END;

CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
BEGIN
    SELECT raise(ABORT, 'events are append-only: an event is never deleted');
END;

-- One row a transaction that appended; `chain` is computed over the stored bytes of its events.
CREATE TABLE event_commit (
    last_position INTEGER NOT NULL PRIMARY KEY,
    first_position INTEGER NOT NULL,
    committed_at_ms INTEGER NOT NULL,
    chain BLOB NOT NULL CONSTRAINT chain_has_32_bytes CHECK (length(chain) = 32),
    CONSTRAINT commit_holds_an_event CHECK (first_position <= last_position)
) STRICT;

CREATE TRIGGER commit_insert_appends BEFORE INSERT ON event_commit
WHEN NEW.first_position IS NOT coalesce((SELECT max(last_position) FROM event_commit), 0) + 1
BEGIN
    SELECT raise(ABORT, 'commits are append-only: this one does not begin where the last one ended');
END;

CREATE TRIGGER commit_is_never_changed BEFORE UPDATE ON event_commit
BEGIN
    SELECT raise(ABORT, 'commits are append-only: a commit is never changed');
END;

CREATE TRIGGER commit_is_never_deleted BEFORE DELETE ON event_commit
BEGIN
    SELECT raise(ABORT, 'commits are append-only: a commit is never deleted');
END;

CREATE TRIGGER session_insert_appends BEFORE INSERT ON session
WHEN NEW.session_no IS NOT coalesce((SELECT max(session_no) FROM session), -1) + 1
    OR EXISTS (SELECT 1 FROM session WHERE session_id = NEW.session_id)
    OR EXISTS (SELECT 1 FROM session WHERE key_no = NEW.key_no)
BEGIN
    SELECT raise(ABORT, 'sessions are append-only: the number is not the next one, or the id or the key is taken');
END;

CREATE TRIGGER session_is_never_changed BEFORE UPDATE ON session
BEGIN
    SELECT raise(ABORT, 'a session keeps its number, its id and its key');
END;

CREATE TRIGGER session_is_never_deleted BEFORE DELETE ON session
BEGIN
    SELECT raise(ABORT, 'a session is never deleted: erase destroys its key and keeps its events');
END;

CREATE TABLE tree_tile (
    level INTEGER NOT NULL CONSTRAINT tile_is_above_the_leaves CHECK (level >= 1),
    tile_no INTEGER NOT NULL,
    hashes BLOB NOT NULL CONSTRAINT tile_holds_whole_hashes CHECK (length(hashes) % 32 = 0 AND length(hashes) BETWEEN 32 AND 8192),
    CONSTRAINT tile_has_one_place PRIMARY KEY (level, tile_no)
) STRICT, WITHOUT ROWID;

-- A repeated command gets its first receipt from here; event_count is 0 for a command that changed nothing.
CREATE TABLE receipt (
    session_no INTEGER NOT NULL,
    command_id TEXT NOT NULL,
    body_digest BLOB NOT NULL,
    first_position INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    CONSTRAINT command_has_one_receipt PRIMARY KEY (session_no, command_id)
) STRICT, WITHOUT ROWID;

-- Keyed digests of what is personal; erasure clears a session's rows.
CREATE TABLE private_lookup (
    kind INTEGER NOT NULL,
    digest BLOB NOT NULL,
    session_no INTEGER NOT NULL,
    CONSTRAINT lookup_is_listed_once PRIMARY KEY (kind, digest, session_no)
) STRICT, WITHOUT ROWID;

CREATE INDEX private_lookup_of_session ON private_lookup (session_no);
CREATE UNIQUE INDEX one_session_for_a_client_key ON private_lookup (digest) WHERE kind = 1;
CREATE UNIQUE INDEX one_session_for_a_start_command ON private_lookup (digest) WHERE kind = 5;

CREATE TABLE erasure (
    session_no INTEGER NOT NULL PRIMARY KEY,
    requested_at_ms INTEGER NOT NULL,
    key_destroyed_at_ms INTEGER,
    swept_at_ms INTEGER
) STRICT;

-- Projections: derived from the events alone, dropped and rebuilt at will.

CREATE TABLE flow (
    session_no INTEGER NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    last_position INTEGER NOT NULL,
    status TEXT NOT NULL,
    phase TEXT NOT NULL,
    current_piece INTEGER,
    context TEXT,
    started_at_ms INTEGER NOT NULL,
    changed_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    expires_at_ms INTEGER,
    pieces TEXT NOT NULL
) STRICT;

CREATE INDEX flow_that_can_expire ON flow (expires_at_ms) WHERE expires_at_ms IS NOT NULL AND ended_at_ms IS NULL;

-- delivery_no is the position of the event that confirmed the capture.
-- status: 1 waiting, 2 verified, 3 rejected, 4 parked, 5 withdrawn
CREATE TABLE delivery (
    delivery_no INTEGER NOT NULL PRIMARY KEY,
    delivery_id BLOB NOT NULL,
    session_no INTEGER NOT NULL,
    capture_id BLOB NOT NULL,
    piece INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    destination TEXT NOT NULL,
    strict_order INTEGER NOT NULL,
    status INTEGER NOT NULL,
    blocked TEXT,
    settled_position INTEGER,
    cause TEXT
) STRICT;

CREATE INDEX delivery_waiting ON delivery (destination, delivery_no) WHERE status = 1;
CREATE INDEX delivery_of_session ON delivery (session_no, delivery_no);

-- Work on deliveries: never rebuilt. A delivery without a row here was never claimed.
CREATE TABLE delivery_work (
    delivery_no INTEGER NOT NULL PRIMARY KEY,
    claims INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    holder TEXT,
    next_attempt_at_ms INTEGER NOT NULL,
    first_sent_at_ms INTEGER,
    frozen BLOB,
    body_digest BLOB,
    status_address BLOB,
    contract_breaks INTEGER NOT NULL,
    unclear INTEGER NOT NULL,
    explanation TEXT
) STRICT;

CREATE INDEX delivery_work_held ON delivery_work (holder) WHERE holder IS NOT NULL;

CREATE TABLE attempt (
    attempt_no INTEGER NOT NULL PRIMARY KEY,
    delivery_no INTEGER NOT NULL,
    delivery_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    destination TEXT NOT NULL,
    kind TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER NOT NULL,
    certainty TEXT NOT NULL,
    curl_code INTEGER NOT NULL,
    status INTEGER NOT NULL,
    bytes_sent INTEGER NOT NULL,
    bytes_received INTEGER NOT NULL,
    explanation TEXT NOT NULL,
    action TEXT NOT NULL,
    retry_after_ms INTEGER,
    next_attempt_at_ms INTEGER,
    table_version INTEGER NOT NULL,
    evidence_id BLOB,
    evidence_digest BLOB
) STRICT;

CREATE UNIQUE INDEX attempt_of_delivery ON attempt (delivery_no, number);

CREATE TRIGGER attempt_insert_appends BEFORE INSERT ON attempt
WHEN NEW.number IS NOT coalesce((SELECT max(number) FROM attempt WHERE delivery_no = NEW.delivery_no), 0) + 1
    OR EXISTS (SELECT 1 FROM attempt WHERE attempt_no = NEW.attempt_no)
BEGIN
    SELECT raise(ABORT, 'the delivery log is append-only: the number is not the next one of its delivery, or its place is taken');
END;

CREATE TRIGGER attempt_is_never_changed BEFORE UPDATE ON attempt
BEGIN
    SELECT raise(ABORT, 'the delivery log is append-only: an attempt is never changed');
END;

CREATE TRIGGER attempt_is_never_deleted BEFORE DELETE ON attempt
BEGIN
    SELECT raise(ABORT, 'the delivery log is append-only: an attempt is never deleted');
END;

CREATE TABLE destination_state (
    destination TEXT NOT NULL PRIMARY KEY,
    paused_reason TEXT,
    paused_at_ms INTEGER,
    probe_at_ms INTEGER,
    paused_credential TEXT,
    contract_break_witness BLOB,
    failures INTEGER NOT NULL,
    last_delivered_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- For people: the log with its codes spelled out. Codes a newer version wrote stay numbers.
CREATE VIEW event_readable AS
SELECT
    e.position,
    lower(hex(s.session_id)) AS session_id,
    e.version,
    coalesce(t.name, e.type) AS type,
    e.recorded_at_ms,
    coalesce(p.name, e.piece) AS piece,
    lower(hex(e.capture_id)) AS capture_id,
    coalesce(c.name, e.source) AS source,
    coalesce(o.name, e.outcome) AS outcome,
    e.reason,
    e.duration_ms,
    e.facts
FROM event AS e
JOIN session AS s ON s.session_no = e.session_no
LEFT JOIN code_name AS t ON t.kind = 'type' AND t.code = e.type
LEFT JOIN code_name AS p ON p.kind = 'piece' AND p.code = e.piece
LEFT JOIN code_name AS c ON c.kind = 'source' AND c.code = e.source
LEFT JOIN code_name AS o ON o.kind = 'outcome' AND o.code = e.outcome;
