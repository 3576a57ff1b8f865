SELECT
    generation, public_key, created_at_ms, endorsement
FROM signing_key
ORDER BY generation;
