-- ?1 attempts above this attempt_no, ?2 limit; archived answers with the session that they belong to, by the log
SELECT a.attempt_no, a.delivery_no, e.session_no, a.evidence_id, a.evidence_digest FROM attempt AS a
LEFT JOIN event AS e ON e.position = a.delivery_no
WHERE a.attempt_no > ?1 AND a.evidence_id IS NOT NULL ORDER BY a.attempt_no LIMIT ?2;
