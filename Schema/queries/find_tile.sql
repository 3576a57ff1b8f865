-- ?1 level, ?2 tile_no
SELECT hashes FROM tree_tile WHERE level = ?1 AND tile_no = ?2;
