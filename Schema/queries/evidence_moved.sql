-- ?1 after this position, ?2 above this attempt_no, ?3 up to and including, ?4 limit; sealed answers to deliveries that are open or whose
-- session got events since
SELECT a.attempt_no, a.evidence_id, d.session_no FROM attempt AS a JOIN delivery AS d ON d.delivery_no = a.delivery_no
WHERE a.attempt_no > ?2 AND a.attempt_no <= ?3 AND a.evidence_id IS NOT NULL AND d.delivery_no IN (
    SELECT delivery_no FROM delivery WHERE status IN (1, 4) OR session_no IN (SELECT session_no FROM event WHERE position > ?1)
)
ORDER BY a.attempt_no LIMIT ?4;
