-- analytics.sqlite: what the log says about sessions, in tables that any tool can read. Derived from the events (and the delivery log)
-- alone, disposable, nothing personal. docs/storage-format.md says how it is kept up.
--
-- Every row that stands for something that happened carries the position of its event and the store's time of it (…_at_ms, UTC
-- milliseconds): a question bounded by `position <= N` has the same answer for ever. Facts hold codes as integers, named by
-- `code_name` and by the views; the daily tables hold words. A row of an erased session stays.

-- How far the tables are: they hold all events up to `position` of this ledger in this epoch, and attempts up to `attempt_no`.
CREATE TABLE progress (
    only_row INTEGER NOT NULL PRIMARY KEY CONSTRAINT progress_is_one_row CHECK (only_row = 1),
    schema_version INTEGER NOT NULL,
    ledger_id BLOB NOT NULL CONSTRAINT ledger_id_has_16_bytes CHECK (length(ledger_id) = 16),
    epoch BLOB NOT NULL CONSTRAINT epoch_has_16_bytes CHECK (length(epoch) = 16),
    position INTEGER NOT NULL,
    recorded_at_ms INTEGER,            -- of the event at `position`; NULL in an empty ledger
    attempt_no INTEGER NOT NULL
) STRICT;

CREATE TABLE code_name (
    kind TEXT NOT NULL,                -- piece, source, answer, direction, exit, origin, outcome, piece_status, step
    code INTEGER NOT NULL,
    name TEXT NOT NULL,
    CONSTRAINT code_has_one_name PRIMARY KEY (kind, code)
) STRICT, WITHOUT ROWID;

-- One row a session. A stage's position is that of the event which first reached it: NULL when it was not reached.
CREATE TABLE session (
    session_no INTEGER NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL,
    context TEXT,                      -- the host's name for where it ran
    pieces INTEGER NOT NULL,           -- how many it asked for at its start
    started_position INTEGER NOT NULL,
    started_at_ms INTEGER NOT NULL,
    captured_position INTEGER,         -- the first capture of any piece
    captured_at_ms INTEGER,
    checked_position INTEGER,          -- the first capture that passed its checks
    checked_at_ms INTEGER,
    confirmed_position INTEGER,        -- the first one that was confirmed, hence handed over
    confirmed_at_ms INTEGER,
    verified_position INTEGER,         -- the first one that the verifier accepted
    verified_at_ms INTEGER,
    outcome INTEGER NOT NULL,          -- exactly one; see `code_name`, kind outcome; those from 10 on still run
    exit_class INTEGER,                -- where an exited one stood; kind exit
    ended_position INTEGER,            -- NULL while it runs; of its latest end otherwise
    ended_at_ms INTEGER,
    stopped_piece INTEGER,             -- the piece at which it stands or stopped; NULL when it is completed or nothing is missing
    stopped_step INTEGER,              -- what that piece waits for; kind step
    captures INTEGER NOT NULL,         -- captures of all pieces
    refusals INTEGER NOT NULL,         -- rows in `refusal` that are not late
    suspensions INTEGER NOT NULL,      -- how often it was paused
    erased_position INTEGER,
    erased_at_ms INTEGER,
    events INTEGER NOT NULL,           -- its version
    last_position INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL
) STRICT;

-- Ends of a session that were taken back: an exited session that was resumed. With `session`, the outcome at any position:
-- the end of `session` if ended_position <= N; else this one where position <= N and resumed_position > N; else it ran.
CREATE TABLE earlier_end (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    exit_class INTEGER,
    resumed_position INTEGER NOT NULL,
    resumed_at_ms INTEGER NOT NULL,
    CONSTRAINT end_has_one_row PRIMARY KEY (session_no, position)
) STRICT, WITHOUT ROWID;

-- One row a piece that a session asked for; stages as in `session`.
CREATE TABLE piece (
    session_no INTEGER NOT NULL,
    piece INTEGER NOT NULL,            -- kind piece
    ordinal INTEGER NOT NULL,          -- 0 for the first that was asked for
    status INTEGER NOT NULL,           -- kind piece_status
    attempts INTEGER NOT NULL,         -- captures of it
    refusals INTEGER NOT NULL,         -- rows in `refusal` of it that are not late
    captured_position INTEGER,
    captured_at_ms INTEGER,
    checked_position INTEGER,
    checked_at_ms INTEGER,
    confirmed_position INTEGER,
    confirmed_at_ms INTEGER,
    verified_position INTEGER,
    verified_at_ms INTEGER,
    dropped_position INTEGER,          -- it left the run without a capture
    CONSTRAINT piece_has_one_row PRIMARY KEY (session_no, piece)
) STRICT, WITHOUT ROWID;

-- One row a capture with what became of it; `position` is that of piece_captured.
CREATE TABLE capture (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    capture_id BLOB NOT NULL,
    piece INTEGER NOT NULL,
    attempt INTEGER NOT NULL,          -- 1 for the first capture of the piece: pieces with n attempts or more are rows with attempt = n
    source INTEGER NOT NULL,           -- kind source
    checked_position INTEGER,          -- its latest judgement that counted
    checked_at_ms INTEGER,
    checks_passed INTEGER,             -- 1, 0, or NULL while it was not judged
    confirmed_position INTEGER,        -- also the number of its delivery
    confirmed_at_ms INTEGER,
    destination TEXT,
    answered_position INTEGER,         -- its latest answer that counted
    answered_at_ms INTEGER,
    answer INTEGER,                    -- kind answer: verified, rejected, parked; NULL while it waits
    requests INTEGER,                  -- spent on it until then
    score REAL,
    taken_back_position INTEGER,       -- retaken by the user, or replaced by the piece's next capture
    purged_position INTEGER,           -- its media was destroyed
    CONSTRAINT capture_has_one_row PRIMARY KEY (session_no, position)
) STRICT, WITHOUT ROWID;

-- One row for every no: media that could not be taken in (intake), checks that failed (checks), a rejection (verifier), a delivery that
-- gave up (delivery). A late one changed nothing.
CREATE TABLE refusal (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    origin INTEGER NOT NULL,           -- kind origin
    reason TEXT NOT NULL,              -- such as glare; docs/checks.md and docs/delivery.md list them
    late INTEGER NOT NULL,
    capture_position INTEGER,          -- NULL at intake: nothing was captured
    CONSTRAINT refusal_has_one_row PRIMARY KEY (session_no, position)
) STRICT, WITHOUT ROWID;

-- What the checks measured; `position` is that of piece_checked.
CREATE TABLE finding (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,           -- 0, 1, 2 … in the event
    capture_position INTEGER,
    piece INTEGER NOT NULL,
    metric TEXT NOT NULL,
    value REAL NOT NULL,
    passed INTEGER,                    -- 1, 0, or NULL for what was measured and not judged
    direction INTEGER,                 -- kind direction: which side of the threshold is good
    threshold REAL,
    policy_version TEXT,
    CONSTRAINT finding_has_one_row PRIMARY KEY (session_no, position, number)
) STRICT, WITHOUT ROWID;

-- What a client saw while scanning, observation by observation.
CREATE TABLE guidance (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,           -- 0, 1, 2 … in the event
    at_ms INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    hint TEXT NOT NULL,                -- such as flash_not_on_card, or no_face of a live scan
    on_target INTEGER,                 -- of flash_position_update
    recording INTEGER,                 -- the hologram recording under way; NULL outside one
    target INTEGER,                    -- how many targets of the tilt that recording had passed: 0 while the user tilts to the first
    CONSTRAINT observation_has_one_row PRIMARY KEY (session_no, position, number)
) STRICT, WITHOUT ROWID;

-- Hologram recordings; `position` is that of hologram_recording_started.
CREATE TABLE recording (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    recording INTEGER NOT NULL,        -- 1, 2, 3 … in the session
    ended_position INTEGER,
    ended_at_ms INTEGER,
    ended_by TEXT,                     -- captured, or why it was cancelled, such as document_left
    targets INTEGER NOT NULL,          -- targets of the tilt that it passed
    face_seen INTEGER NOT NULL,
    CONSTRAINT recording_has_one_row PRIMARY KEY (session_no, position)
) STRICT, WITHOUT ROWID;

-- What users did beside capturing.
CREATE TABLE interaction (
    session_no INTEGER NOT NULL,
    position INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    piece INTEGER,
    interaction TEXT NOT NULL,         -- such as permission_denied
    CONSTRAINT interaction_has_one_row PRIMARY KEY (session_no, position)
) STRICT, WITHOUT ROWID;

-- Requests of deliveries, from the delivery log; they are no events, hence without a position. capture.confirmed_position = delivery_no.
CREATE TABLE attempt (
    attempt_no INTEGER NOT NULL PRIMARY KEY,
    delivery_no INTEGER NOT NULL,
    number INTEGER NOT NULL,           -- 1 for the delivery's first
    destination TEXT NOT NULL,
    kind TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER NOT NULL,
    certainty TEXT NOT NULL,           -- whether the endpoint may have got it
    curl_code INTEGER NOT NULL,
    status INTEGER NOT NULL,           -- of HTTP; 0 without an answer
    bytes_sent INTEGER NOT NULL,
    bytes_received INTEGER NOT NULL,
    explanation TEXT NOT NULL,         -- what the answer was taken for
    action TEXT NOT NULL               -- what followed
) STRICT;

-- Sums of the rows above. `day` is that on which the session started, in UTC, so that a session counts on one day alone and all
-- numbers of sessions may be added up over days and contexts. `context` is '' without one, `piece` '' for the session as a whole.

CREATE TABLE daily_funnel (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    started INTEGER NOT NULL,          -- sessions; for a piece, sessions that asked for it
    captured INTEGER NOT NULL,
    checked INTEGER NOT NULL,
    confirmed INTEGER NOT NULL,
    verified INTEGER NOT NULL,
    completed INTEGER NOT NULL,        -- sessions; for a piece, completed sessions in which it was verified
    dropped INTEGER NOT NULL,          -- pieces that left the run
    captures INTEGER NOT NULL,         -- captures, repeated ones too
    CONSTRAINT funnel_has_one_row PRIMARY KEY (day, context, piece)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_outcome (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    outcome TEXT NOT NULL,
    exit_class TEXT NOT NULL,          -- '' unless exited
    stopped_piece TEXT NOT NULL,       -- '' when nothing is missing
    stopped_step TEXT NOT NULL,
    sessions INTEGER NOT NULL,
    CONSTRAINT outcome_has_one_row PRIMARY KEY (day, context, outcome, exit_class, stopped_piece, stopped_step)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_attempts (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    attempts INTEGER NOT NULL,         -- 0 for pieces that were never captured
    verified INTEGER NOT NULL,         -- whether the piece was verified in the end
    pieces INTEGER NOT NULL,
    CONSTRAINT attempts_have_one_row PRIMARY KEY (day, context, piece, attempts, verified)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_refusal (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    origin TEXT NOT NULL,
    reason TEXT NOT NULL,
    refusals INTEGER NOT NULL,         -- late ones left out
    captures INTEGER NOT NULL,         -- different captures among them; at intake, refusals
    sessions INTEGER NOT NULL,         -- different sessions among them
    CONSTRAINT refusals_have_one_row PRIMARY KEY (day, context, piece, origin, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_check (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    policy_version TEXT NOT NULL,      -- '' for a finding that names none
    metric TEXT NOT NULL,
    direction TEXT NOT NULL,           -- '' for what was not judged
    threshold REAL NOT NULL,           -- 0 for what was not judged
    findings INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    CONSTRAINT checks_have_one_row PRIMARY KEY (day, context, piece, policy_version, metric, direction, threshold)
) STRICT, WITHOUT ROWID;

-- How long steps took, as a histogram with buckets of less than a sixteenth: `at_least_ms` is a bucket's lower bound, `below_ms` its upper
-- one. Steps: to_first_capture (session started → a piece's first capture), capture_to_check, capture_to_confirm, confirm_to_answer of
-- captures; to_verified (a piece's first capture → verified); session (started → completed, with piece '').
CREATE TABLE daily_step_time (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    step TEXT NOT NULL,
    at_least_ms INTEGER NOT NULL,
    below_ms INTEGER NOT NULL,
    times INTEGER NOT NULL,
    CONSTRAINT step_time_has_one_row PRIMARY KEY (day, context, piece, step, at_least_ms)
) STRICT, WITHOUT ROWID;

-- Answers of destinations, late ones left out.
CREATE TABLE daily_answer (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    destination TEXT NOT NULL,
    answer TEXT NOT NULL,              -- verified, rejected, parked; waiting or withdrawn without one
    reason TEXT NOT NULL,              -- of rejected and parked, else ''
    captures INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    CONSTRAINT answers_have_one_row PRIMARY KEY (day, context, piece, destination, answer, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_guidance (
    day TEXT NOT NULL,
    context TEXT NOT NULL,
    piece TEXT NOT NULL,
    hint TEXT NOT NULL,
    target INTEGER NOT NULL,           -- -1 outside a hologram recording
    observations INTEGER NOT NULL,
    sessions INTEGER NOT NULL,
    CONSTRAINT guidance_has_one_row PRIMARY KEY (day, context, piece, hint, target)
) STRICT, WITHOUT ROWID;

-- Requests by the day on which they began, in UTC; durations as in daily_step_time.
CREATE TABLE daily_request (
    day TEXT NOT NULL,
    destination TEXT NOT NULL,
    kind TEXT NOT NULL,
    certainty TEXT NOT NULL,
    status INTEGER NOT NULL,
    curl_code INTEGER NOT NULL,
    explanation TEXT NOT NULL,
    at_least_ms INTEGER NOT NULL,
    below_ms INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    CONSTRAINT requests_have_one_row PRIMARY KEY (
        day, destination, kind, certainty, status, curl_code, explanation, at_least_ms)
) STRICT, WITHOUT ROWID;
