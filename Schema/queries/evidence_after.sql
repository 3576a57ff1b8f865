-- ?1 attempts above this attempt_no, ?2 limit; sealed answers with the session that they belong to
SELECT a.attempt_no, a.evidence_id, d.session_no FROM attempt AS a LEFT JOIN delivery AS d ON d.delivery_no = a.delivery_no
WHERE a.attempt_no > ?1 AND a.evidence_id IS NOT NULL ORDER BY a.attempt_no LIMIT ?2;
