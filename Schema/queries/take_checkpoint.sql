-- the columns in their order; a row that is there already stays
INSERT INTO checkpoint (
    tree_size, root, generation, signed_at_ms, note
) SELECT ?1, ?2, ?3, ?4, ?5
WHERE NOT EXISTS (SELECT 1 FROM checkpoint WHERE tree_size = ?1);
