-- ?1 path
ATTACH ?1 AS beside;
