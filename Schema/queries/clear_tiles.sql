DELETE FROM tree_tile;
