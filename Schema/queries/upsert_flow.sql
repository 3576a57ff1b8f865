-- ?1 session_no, ?2 version, ?3 last_position, ?4 status, ?5 phase, ?6 current_piece, ?7 context, ?8 started_at_ms, ?9 changed_at_ms,
-- ?10 ended_at_ms, ?11 expires_at_ms, ?12 pieces as JSON
INSERT INTO flow (
    session_no, version, last_position, status, phase, current_piece, context, started_at_ms, changed_at_ms, ended_at_ms,
    expires_at_ms, pieces
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT (session_no) DO UPDATE SET
    version = ?2, last_position = ?3, status = ?4, phase = ?5, current_piece = ?6, changed_at_ms = ?9, ended_at_ms = ?10,
    expires_at_ms = ?11, pieces = ?12;
