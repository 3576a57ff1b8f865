-- ?1 day, ?2 context, ?3 piece, ?4 policy_version, ?5 metric, ?6 direction, ?7 threshold: when nothing is left of it
DELETE FROM daily_check
WHERE day = ?1 AND context = ?2 AND piece = ?3 AND policy_version = ?4 AND metric = ?5 AND direction = ?6 AND threshold = ?7
    AND findings = 0 AND passed = 0 AND failed = 0;
