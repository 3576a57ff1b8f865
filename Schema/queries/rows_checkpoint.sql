SELECT
    tree_size, root, generation, signed_at_ms, note
FROM checkpoint
ORDER BY tree_size;
