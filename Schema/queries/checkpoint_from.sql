-- The smallest checkpoint that covers so many events. ?1 tree_size
SELECT tree_size, root, generation, signed_at_ms, note FROM checkpoint WHERE tree_size >= ?1 ORDER BY tree_size LIMIT 1;
