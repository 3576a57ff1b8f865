DELETE FROM clock_anchor;
