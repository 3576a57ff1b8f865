-- ?1 level
SELECT tile_no, length(hashes) FROM tree_tile WHERE level = ?1 ORDER BY tile_no DESC LIMIT 1;
