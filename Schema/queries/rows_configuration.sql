SELECT
    digest, json
FROM configuration
ORDER BY digest;
