-- ?1 version, ?2 name, ?3 sha256 blob(32), ?4 oldest reading and ?5 oldest writing schema version, ?6 applied_at_ms
INSERT INTO migration (version, name, sha256, reader, writer, applied_at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6);
