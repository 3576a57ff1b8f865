SELECT level, tile_no, length(hashes) FROM tree_tile ORDER BY level, tile_no;
