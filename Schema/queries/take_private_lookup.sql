-- the columns in their order
INSERT INTO private_lookup (
    kind, digest, session_no
) VALUES (?1, ?2, ?3);
