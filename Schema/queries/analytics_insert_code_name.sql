-- ?1 kind, ?2 code, ?3 name
INSERT INTO code_name (kind, code, name) VALUES (?1, ?2, ?3);
