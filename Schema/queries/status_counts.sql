SELECT status, phase, count(*) FROM flow GROUP BY status, phase ORDER BY status, phase;
