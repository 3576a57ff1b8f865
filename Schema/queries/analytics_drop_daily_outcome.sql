-- ?1 day, ?2 context, ?3 outcome, ?4 exit_class, ?5 stopped_piece, ?6 stopped_step: when nothing is left of it
DELETE FROM daily_outcome
WHERE day = ?1 AND context = ?2 AND outcome = ?3 AND exit_class = ?4 AND stopped_piece = ?5 AND stopped_step = ?6
    AND sessions = 0;
