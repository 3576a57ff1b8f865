-- ?1 day, ?2 context, ?3 piece, ?4 attempts, ?5 verified, ?6 pieces: what to add
INSERT INTO daily_attempts (
    day, context, piece, attempts, verified, pieces
) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (day, context, piece, attempts, verified) DO UPDATE SET
    pieces = pieces + excluded.pieces;
