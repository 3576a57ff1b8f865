-- claim_candidates_of_session: as claim_candidates, for one session
-- ?1 session_no, ?2 destination, ?3 now in ms, ?4 how many, ?5 the longest wait in ms
SELECT d.delivery_no, d.delivery_id, d.session_no, d.capture_id, d.piece
FROM delivery AS d
LEFT JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.session_no = ?1 AND d.destination = ?2 AND d.status = 1 AND d.blocked IS NULL
    AND (w.delivery_no IS NULL OR (w.holder IS NULL AND (w.next_attempt_at_ms <= ?3 OR w.next_attempt_at_ms > ?3 + ?5)))
    AND NOT EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = d.session_no)
    AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no)
    AND (
        d.strict_order = 0
        OR NOT EXISTS (
            SELECT 1 FROM delivery AS earlier
            WHERE earlier.session_no = d.session_no AND earlier.status = 1 AND earlier.ordinal < d.ordinal
        )
    )
ORDER BY d.delivery_no LIMIT ?4;
