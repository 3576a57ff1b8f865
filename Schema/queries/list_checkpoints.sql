-- ?1 tree sizes above, ?2 up to and including
SELECT tree_size, root, generation, signed_at_ms, note FROM checkpoint WHERE tree_size > ?1 AND tree_size <= ?2
ORDER BY tree_size;
