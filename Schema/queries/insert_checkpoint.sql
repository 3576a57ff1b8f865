-- ?1 tree_size, ?2 root blob(32), ?3 generation, ?4 signed_at_ms, ?5 note
INSERT INTO checkpoint (tree_size, root, generation, signed_at_ms, note) VALUES (?1, ?2, ?3, ?4, ?5);
