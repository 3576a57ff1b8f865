-- blocked_by_destination
-- Waiting for something else than time: a transaction, a person who resumes the session, or the end of an undo window.
SELECT d.destination, count(*) FROM delivery AS d
WHERE d.status = 1
    AND (
        d.blocked IS NOT NULL OR EXISTS (SELECT 1 FROM session_pause AS p WHERE p.session_no = d.session_no)
        OR EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no)
    )
GROUP BY d.destination ORDER BY d.destination;
