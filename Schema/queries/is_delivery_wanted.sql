-- ?1 delivery_no, ?2 fence, ?3 holder
SELECT 1 FROM delivery AS d
JOIN delivery_work AS w ON w.delivery_no = d.delivery_no
WHERE d.delivery_no = ?1 AND d.status = 1 AND w.fence = ?2 AND w.holder = ?3
    AND NOT EXISTS (SELECT 1 FROM erasure_request AS r WHERE r.session_no = d.session_no);
