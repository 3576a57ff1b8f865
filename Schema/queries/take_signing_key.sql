-- the columns in their order; a row that is there already stays
INSERT INTO signing_key (
    generation, public_key, created_at_ms, endorsement
) SELECT ?1, ?2, ?3, ?4
WHERE NOT EXISTS (SELECT 1 FROM signing_key WHERE generation = ?1);
