-- ?1 day, ?2 context, ?3 piece, ?4 attempts, ?5 verified: when nothing is left of it
DELETE FROM daily_attempts
WHERE day = ?1 AND context = ?2 AND piece = ?3 AND attempts = ?4 AND verified = ?5
    AND pieces = 0;
