-- ?1 day, ?2 context, ?3 piece, ?4 hint, ?5 target: when nothing is left of it
DELETE FROM daily_guidance
WHERE day = ?1 AND context = ?2 AND piece = ?3 AND hint = ?4 AND target = ?5
    AND observations = 0 AND sessions = 0;
