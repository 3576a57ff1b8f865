-- ?1 session_no above, ?2 how many; in the order in which they began
-- Sessions that may hold a capture without a judgement: one under review, one whose scanner was not ready, one that waits to be sent.
-- Their events say which. The phase comes first since it is cheap to see: nothing is under review in a session that waits for
-- verification. What waits for checks is looked for session by session only where anything does.
SELECT f.session_no FROM flow AS f
WHERE f.session_no > ?1
    AND (
        (f.status IN ('active', 'suspended') AND f.phase <> 'waiting_for_verification'
            AND (instr(f.pieces, '"status":"captured"') > 0 OR instr(f.pieces, '"status":"refused_by_checks"') > 0))
        OR (EXISTS (SELECT 1 FROM delivery AS a WHERE a.status = 1 AND a.blocked = 'checks')
            AND f.status IN ('active', 'suspended', 'exited')
            AND EXISTS (
                SELECT 1 FROM delivery AS d WHERE d.session_no = f.session_no AND d.status = 1 AND d.blocked = 'checks'
            ))
    )
ORDER BY f.session_no LIMIT ?2;
