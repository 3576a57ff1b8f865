-- The tables with codes spelled out and times as text (UTC).

CREATE VIEW session_readable AS
SELECT
    s.session_no, s.session_id, s.context, s.pieces, s.started_position,
    strftime('%Y-%m-%dT%H:%M:%fZ', s.started_at_ms / 1000.0, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', s.captured_at_ms / 1000.0, 'unixepoch') AS captured_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', s.checked_at_ms / 1000.0, 'unixepoch') AS checked_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', s.confirmed_at_ms / 1000.0, 'unixepoch') AS confirmed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', s.verified_at_ms / 1000.0, 'unixepoch') AS verified_at,
    o.name AS outcome, x.name AS exit_class, s.ended_position,
    strftime('%Y-%m-%dT%H:%M:%fZ', s.ended_at_ms / 1000.0, 'unixepoch') AS ended_at,
    s.ended_at_ms - s.started_at_ms AS duration_ms,
    p.name AS stopped_piece, t.name AS stopped_step, s.captures, s.refusals, s.suspensions,
    s.erased_position IS NOT NULL AS is_erased, s.events, s.last_position
FROM session AS s
LEFT JOIN code_name AS o ON o.kind = 'outcome' AND o.code = s.outcome
LEFT JOIN code_name AS x ON x.kind = 'exit' AND x.code = s.exit_class
LEFT JOIN code_name AS p ON p.kind = 'piece' AND p.code = s.stopped_piece
LEFT JOIN code_name AS t ON t.kind = 'step' AND t.code = s.stopped_step;

CREATE VIEW piece_readable AS
SELECT
    s.session_id, s.context, p.session_no, n.name AS piece, p.ordinal, t.name AS status, p.attempts, p.refusals,
    p.captured_position, strftime('%Y-%m-%dT%H:%M:%fZ', p.captured_at_ms / 1000.0, 'unixepoch') AS captured_at,
    p.checked_position, strftime('%Y-%m-%dT%H:%M:%fZ', p.checked_at_ms / 1000.0, 'unixepoch') AS checked_at,
    p.confirmed_position, strftime('%Y-%m-%dT%H:%M:%fZ', p.confirmed_at_ms / 1000.0, 'unixepoch') AS confirmed_at,
    p.verified_position, strftime('%Y-%m-%dT%H:%M:%fZ', p.verified_at_ms / 1000.0, 'unixepoch') AS verified_at,
    p.dropped_position
FROM piece AS p
JOIN session AS s ON s.session_no = p.session_no
LEFT JOIN code_name AS n ON n.kind = 'piece' AND n.code = p.piece
LEFT JOIN code_name AS t ON t.kind = 'piece_status' AND t.code = p.status;

CREATE VIEW capture_readable AS
SELECT
    s.session_id, s.context, c.session_no, c.position,
    strftime('%Y-%m-%dT%H:%M:%fZ', c.at_ms / 1000.0, 'unixepoch') AS captured_at,
    lower(
        substr(hex(c.capture_id), 1, 8) || '-' || substr(hex(c.capture_id), 9, 4) || '-' || substr(hex(c.capture_id), 13, 4) || '-'
        || substr(hex(c.capture_id), 17, 4) || '-' || substr(hex(c.capture_id), 21)
    ) AS capture_id,
    n.name AS piece, c.attempt, k.name AS source, c.checks_passed, c.checked_at_ms - c.at_ms AS check_ms,
    strftime('%Y-%m-%dT%H:%M:%fZ', c.confirmed_at_ms / 1000.0, 'unixepoch') AS confirmed_at, c.destination,
    a.name AS answer, strftime('%Y-%m-%dT%H:%M:%fZ', c.answered_at_ms / 1000.0, 'unixepoch') AS answered_at,
    c.answered_at_ms - c.confirmed_at_ms AS answer_ms, c.requests, c.score,
    c.taken_back_position IS NOT NULL AS was_taken_back, c.purged_position IS NOT NULL AS is_purged
FROM capture AS c
JOIN session AS s ON s.session_no = c.session_no
LEFT JOIN code_name AS n ON n.kind = 'piece' AND n.code = c.piece
LEFT JOIN code_name AS k ON k.kind = 'source' AND k.code = c.source
LEFT JOIN code_name AS a ON a.kind = 'answer' AND a.code = c.answer;

CREATE VIEW refusal_readable AS
SELECT
    s.session_id, s.context, r.session_no, r.position,
    strftime('%Y-%m-%dT%H:%M:%fZ', r.at_ms / 1000.0, 'unixepoch') AS refused_at,
    n.name AS piece, o.name AS origin, r.reason, r.late, r.capture_position
FROM refusal AS r
JOIN session AS s ON s.session_no = r.session_no
LEFT JOIN code_name AS n ON n.kind = 'piece' AND n.code = r.piece
LEFT JOIN code_name AS o ON o.kind = 'origin' AND o.code = r.origin;

CREATE VIEW finding_readable AS
SELECT
    s.session_id, s.context, f.session_no, f.position, f.number, n.name AS piece, f.metric, f.value, f.passed, d.name AS direction,
    f.threshold, f.policy_version, f.capture_position
FROM finding AS f
JOIN session AS s ON s.session_no = f.session_no
LEFT JOIN code_name AS n ON n.kind = 'piece' AND n.code = f.piece
LEFT JOIN code_name AS d ON d.kind = 'direction' AND d.code = f.direction;

CREATE VIEW guidance_readable AS
SELECT
    s.session_id, s.context, g.session_no, g.position, g.number,
    strftime('%Y-%m-%dT%H:%M:%fZ', g.at_ms / 1000.0, 'unixepoch') AS observed_at,
    n.name AS piece, g.hint, g.on_target, g.recording, g.target
FROM guidance AS g
JOIN session AS s ON s.session_no = g.session_no
LEFT JOIN code_name AS n ON n.kind = 'piece' AND n.code = g.piece;
