-- The two tables are made by the same text; with a bare * SQLite copies whole rows and indexes without taking them apart. A failure takes
-- the transaction back, so that no page need be kept in memory to take back the statement alone.
INSERT OR ROLLBACK INTO main.flow SELECT * FROM beside.flow;
