-- ?1 session_no, ?2 position, ?3 at_ms, ?4 recording, ?5 ended_position or NULL, ?6 ended_at_ms or NULL, ?7 ended_by or NULL,
-- ?8 targets, ?9 face_seen
INSERT INTO recording (
    session_no, position, at_ms, recording, ended_position, ended_at_ms, ended_by, targets, face_seen
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);
