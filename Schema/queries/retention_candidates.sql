-- retention_candidates: sessions in which something may have grown old
-- ?1 above this session_no, ?2 begun by this time in ms, ?3 how many at most
SELECT f.session_no, s.session_id FROM flow AS f JOIN session AS s ON s.session_no = f.session_no
WHERE f.session_no > ?1 AND f.started_at_ms <= ?2 ORDER BY f.session_no LIMIT ?3;
