-- the columns in their order
INSERT INTO witnessed (
    destination, tree_size, witnessed_at_ms, cosignature
) VALUES (?1, ?2, ?3, ?4);
