-- ?1 day, ?2 context, ?3 piece, ?4 origin, ?5 reason: when nothing is left of it
DELETE FROM daily_refusal
WHERE day = ?1 AND context = ?2 AND piece = ?3 AND origin = ?4 AND reason = ?5
    AND refusals = 0 AND captures = 0 AND sessions = 0;
