SELECT coalesce(max(tree_size), 0) FROM checkpoint;
