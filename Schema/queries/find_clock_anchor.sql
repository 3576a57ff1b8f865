-- find_clock_anchor
SELECT boot_id, boottime_ms, wall_ms, jumps_ms FROM clock_anchor WHERE only_row = 1;
