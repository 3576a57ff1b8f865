-- ?1 session_no, ?2 capture_id blob(16), ?3 status, ?4 position of the event, ?5 cause or NULL, ?6 1 for a late answer, which settles
-- only what was not decided before
UPDATE delivery SET status = ?3, settled_position = ?4, cause = ?5
WHERE session_no = ?1 AND capture_id = ?2 AND (?6 = 0 OR status IN (1, 4, 5));
