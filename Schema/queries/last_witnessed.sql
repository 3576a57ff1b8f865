-- ?1 destination
SELECT tree_size, witnessed_at_ms, cosignature FROM witnessed WHERE destination = ?1 ORDER BY tree_size DESC LIMIT 1;
