-- the columns in their order; a row that is there already stays
INSERT INTO configuration (
    digest, json
) SELECT ?1, ?2
WHERE NOT EXISTS (SELECT 1 FROM configuration WHERE digest = ?1);
