-- ?1 where a part begins, ?2 above this attempt_no, ?3 up to and including, ?4 limit; an attempt need not have an event, so that every part
-- has all sealed answers
SELECT a.attempt_no, a.evidence_id, d.session_no FROM attempt AS a JOIN delivery AS d ON d.delivery_no = a.delivery_no
WHERE ?1 >= 0 AND a.attempt_no > ?2 AND a.attempt_no <= ?3 AND a.evidence_id IS NOT NULL
ORDER BY a.attempt_no LIMIT ?4;
