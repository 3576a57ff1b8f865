-- ?1 day, ?2 context, ?3 piece, ?4 destination, ?5 answer, ?6 reason: when nothing is left of it
DELETE FROM daily_answer
WHERE day = ?1 AND context = ?2 AND piece = ?3 AND destination = ?4 AND answer = ?5 AND reason = ?6
    AND captures = 0;
