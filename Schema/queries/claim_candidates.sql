-- claim_candidates
-- ?1 destination, ?2 now in ms, ?3 how many, ?4 the longest wait in ms: what lies further ahead is due, since the clock went back
SELECT d.delivery_no, d.delivery_id, d.session_no, d.capture_id, d.piece
FROM delivery AS d
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.destination = ?1 AND d.status = 1 AND d.blocked IS NULL
    AND (w.delivery_no IS NULL OR (w.holder IS NULL AND (w.next_attempt_at_ms <= ?2 OR w.next_attempt_at_ms > ?2 + ?4)))
    AND NOT EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = d.session_no)
    AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no)
    AND (
        d.strict_order = 0
        OR NOT EXISTS (
            SELECT 1 FROM delivery AS earlier
            WHERE earlier.session_no = d.session_no AND earlier.status = 1 AND earlier.ordinal < d.ordinal
        )
    )
ORDER BY d.delivery_no LIMIT ?3;
