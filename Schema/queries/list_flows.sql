-- ?1 session_no below, ?2 status or NULL, ?3 phase or NULL, ?4 how many at most; newest first
SELECT f.session_no, s.session_id, f.version, f.last_position, f.status, f.phase, f.current_piece, f.context, f.started_at_ms,
    f.changed_at_ms, f.ended_at_ms, f.expires_at_ms, f.pieces
FROM flow AS f JOIN session AS s ON s.session_no = f.session_no
WHERE f.session_no < ?1 AND (?2 IS NULL OR f.status = ?2) AND (?3 IS NULL OR f.phase = ?3)
ORDER BY f.session_no DESC LIMIT ?4;
