SELECT
    destination, tree_size, witnessed_at_ms, cosignature
FROM witnessed
ORDER BY destination, tree_size;
