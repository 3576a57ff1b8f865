-- backlog
-- ?1 a destination to leave out, or NULL
-- One that was never tried is due at once, so where there is one no other has to be looked at.
-- Positions order events in time, so the oldest waiting delivery is the first. A jump of the clock since (type 101) is no age.
SELECT
    (SELECT count(*) FROM delivery WHERE status = 1 AND (?1 IS NULL OR destination <> ?1)),
    (SELECT count(*) FROM delivery WHERE status = 4 AND (?1 IS NULL OR destination <> ?1)),
    CASE
        WHEN EXISTS (
            SELECT 1 FROM delivery AS d
            WHERE d.status = 1 AND d.blocked IS NULL AND (?1 IS NULL OR d.destination <> ?1)
                AND NOT EXISTS (SELECT 1 FROM delivery_work AS w WHERE w.delivery_no = d.delivery_no)
                AND NOT EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = d.session_no)
                AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no)
        ) THEN 0
        ELSE (
            SELECT min(w.next_attempt_at_ms) FROM delivery AS d
            JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
            WHERE d.status = 1 AND d.blocked IS NULL AND (?1 IS NULL OR d.destination <> ?1)
                AND NOT EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = d.session_no)
                AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no)
        )
    END,
    (
        SELECT e.recorded_at_ms + coalesce((
            SELECT sum(json_extract(j.facts, '$.to_ms') - json_extract(j.facts, '$.from_ms')) FROM event AS j
            WHERE j.session_no = 0 AND j.type = 101 AND j.position > e.position
        ), 0)
        FROM event AS e
        WHERE e.position = (SELECT min(delivery_no) FROM delivery WHERE status = 1 AND (?1 IS NULL OR destination <> ?1))
    );
