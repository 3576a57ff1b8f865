-- ?1 generation, ?2 public_key blob(32), ?3 created_at_ms, ?4 endorsement blob(64) or NULL
INSERT INTO signing_key (generation, public_key, created_at_ms, endorsement) VALUES (?1, ?2, ?3, ?4);
