-- count_claims
-- ?1 destination: claims of all living workers on it; CROSS JOIN begins with what is held, which is little
SELECT count(*) FROM delivery_work AS w CROSS JOIN delivery AS d ON d.delivery_no = w.delivery_no
WHERE w.holder IS NOT NULL AND d.destination = ?1;
