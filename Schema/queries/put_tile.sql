-- ?1 level, ?2 tile_no, ?3 hashes blob
INSERT INTO tree_tile (level, tile_no, hashes) VALUES (?1, ?2, ?3)
ON CONFLICT (level, tile_no) DO UPDATE SET hashes = excluded.hashes;
