-- How often something happened, up to a position: what happened later is not in it, whatever was appended since. One row a group.
-- ?1 TEXT what, ?2 INTEGER position, ?3 INTEGER first time (ms), ?4 INTEGER the time behind the last (ms), ?5 TEXT piece or NULL,
-- ?6 TEXT reason or NULL, ?7 TEXT context or NULL,
-- ?8 TEXT what the groups are: all, origin, context, reason, piece, session, moment (a time and a session's number, in order)
WITH
code (kind, code, name) AS (SELECT kind, code, name FROM code_name),
happened (session_no, position, at_ms, piece, reason, origin) AS (
    SELECT session_no, started_position, started_at_ms, NULL, NULL, NULL
    FROM session WHERE ?1 = 'started'
    UNION ALL
    SELECT session_no, position, at_ms, piece, NULL, NULL
    FROM capture WHERE ?1 = 'captured'
    UNION ALL
    SELECT session_no, checked_position, checked_at_ms, piece, NULL, NULL
    FROM capture WHERE ?1 = 'passed_checks' AND checks_passed = 1
    UNION ALL
    SELECT session_no, confirmed_position, confirmed_at_ms, piece, NULL, NULL
    FROM capture WHERE ?1 = 'confirmed' AND confirmed_position IS NOT NULL
    UNION ALL
    SELECT session_no, answered_position, answered_at_ms, piece, NULL, NULL
    FROM capture
    WHERE ?1 = 'verified' AND answer = (SELECT code FROM code WHERE kind = 'answer' AND name = 'verified')
    UNION ALL
    SELECT r.session_no, r.position, r.at_ms, r.piece, r.reason, r.origin
    FROM refusal AS r
    WHERE ?1 IN ('refused', 'failed_checks', 'rejected', 'parked', 'refused_by_anybody') AND r.late = 0
        AND r.origin IN (
            SELECT code FROM code
            WHERE kind = 'origin' AND name IN (
                CASE WHEN ?1 IN ('refused', 'refused_by_anybody') THEN 'intake' END,
                CASE WHEN ?1 IN ('failed_checks', 'refused_by_anybody') THEN 'checks' END,
                CASE WHEN ?1 IN ('rejected', 'refused_by_anybody') THEN 'verifier' END,
                CASE WHEN ?1 = 'parked' THEN 'delivery' END
            )
        )
    UNION ALL
    SELECT session_no, ended_position, ended_at_ms, NULL, NULL, NULL
    FROM session
    WHERE ?1 IN ('completed', 'exited', 'expired', 'cancelled') AND ended_position IS NOT NULL
        AND outcome = (SELECT code FROM code WHERE kind = 'outcome' AND name = ?1)
    UNION ALL
    SELECT session_no, position, at_ms, NULL, NULL, NULL
    FROM earlier_end
    WHERE ?1 = 'exited' AND outcome = (SELECT code FROM code WHERE kind = 'outcome' AND name = ?1)
    UNION ALL
    SELECT session_no, erased_position, erased_at_ms, NULL, NULL, NULL
    FROM session WHERE ?1 = 'erased' AND erased_position IS NOT NULL
)
SELECT
    CASE ?8
        WHEN 'origin' THEN (SELECT name FROM code WHERE kind = 'origin' AND code = h.origin)
        WHEN 'context' THEN (SELECT context FROM session AS s WHERE s.session_no = h.session_no)
        WHEN 'moment' THEN printf('%019d %d', h.at_ms, h.session_no)
        WHEN 'reason' THEN h.reason
        WHEN 'piece' THEN (SELECT name FROM code WHERE kind = 'piece' AND code = h.piece)
        WHEN 'session' THEN (SELECT session_id FROM session AS s WHERE s.session_no = h.session_no)
    END AS name,
    count(*), count(DISTINCT h.session_no), min(h.position), max(h.position)
FROM happened AS h
WHERE h.position <= ?2 AND h.at_ms >= ?3 AND h.at_ms < ?4
    AND (?5 IS NULL OR h.piece = (SELECT code FROM code WHERE kind = 'piece' AND name = ?5))
    AND (?6 IS NULL OR h.reason = ?6)
    AND (?7 IS NULL OR ?7 = (SELECT context FROM session AS s WHERE s.session_no = h.session_no))
GROUP BY name
ORDER BY CASE ?8 WHEN 'session' THEN min(h.position) END, name
