-- The two tables are made by the same text; with a bare * SQLite copies whole rows and indexes without taking them apart.
INSERT INTO main.delivery SELECT * FROM beside.delivery;
