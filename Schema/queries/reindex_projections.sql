-- Of the database that a rebuild fills: makes the indexes of its tables anew.
REINDEX flow;
REINDEX delivery;
