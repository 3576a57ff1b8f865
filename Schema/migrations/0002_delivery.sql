-- reader 1, writer 2: an older version reads all it knows of; it must not write, since it takes no lock of its own as a worker.
-- What delivery keeps beside the queue: breakers, pauses of a session, and what is known of the clock.

-- The circuit breaker of a destination: open until a time, how often it has opened since a delivery last got through, and
-- why.
ALTER TABLE destination_state ADD COLUMN breaker_until_ms INTEGER;
ALTER TABLE destination_state ADD COLUMN breaker_openings INTEGER NOT NULL DEFAULT 0;
ALTER TABLE destination_state ADD COLUMN breaker_reason TEXT;

-- Sessions of which nothing is sent until a person resumes them. `position` is the event that says so; the row goes with the resumption.
CREATE TABLE session_pause (
    session_no INTEGER NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    paused_at_ms INTEGER NOT NULL
) STRICT;

-- Two clocks read at one moment, so that a jump of the wall clock is told from time that passed. `jumps_ms` is the sum of all jumps
-- that `clock_adjusted` has recorded.
CREATE TABLE clock_anchor (
    only_row INTEGER NOT NULL PRIMARY KEY CONSTRAINT anchor_is_one_row CHECK (only_row = 1),
    boot_id BLOB NOT NULL CONSTRAINT boot_id_has_16_bytes CHECK (length(boot_id) = 16),
    boottime_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    jumps_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX delivery_parked ON delivery (delivery_no) WHERE status = 4;
