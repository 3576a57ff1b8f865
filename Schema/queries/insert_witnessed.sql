-- ?1 destination, ?2 tree_size, ?3 witnessed_at_ms, ?4 cosignature or NULL
INSERT INTO witnessed (destination, tree_size, witnessed_at_ms, cosignature) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (destination, tree_size) DO UPDATE SET witnessed_at_ms = excluded.witnessed_at_ms,
    cosignature = coalesce(excluded.cosignature, cosignature);
