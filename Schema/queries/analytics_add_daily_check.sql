-- ?1 day, ?2 context, ?3 piece, ?4 policy_version, ?5 metric, ?6 direction, ?7 threshold, ?8 findings, ?9 passed, ?10 failed: what to add
INSERT INTO daily_check (
    day, context, piece, policy_version, metric, direction, threshold, findings, passed, failed
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (day, context, piece, policy_version, metric, direction, threshold) DO UPDATE SET
    findings = findings + excluded.findings, passed = passed + excluded.passed, failed = failed + excluded.failed;
