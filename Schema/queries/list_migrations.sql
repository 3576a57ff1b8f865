SELECT version, name, sha256, reader, writer FROM migration ORDER BY version;
