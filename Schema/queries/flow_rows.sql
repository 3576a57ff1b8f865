SELECT
    session_no, version, last_position, status, phase, current_piece, context, started_at_ms, changed_at_ms, ended_at_ms,
    expires_at_ms, pieces
FROM flow ORDER BY session_no;
