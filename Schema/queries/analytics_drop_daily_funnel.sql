-- ?1 day, ?2 context, ?3 piece: when nothing is left of it
DELETE FROM daily_funnel
WHERE day = ?1 AND context = ?2 AND piece = ?3
    AND started = 0 AND captured = 0 AND checked = 0 AND confirmed = 0 AND verified = 0 AND completed = 0 AND dropped = 0 AND
    captures = 0;
