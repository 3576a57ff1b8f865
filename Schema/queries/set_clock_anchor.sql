-- set_clock_anchor
-- ?1 boot_id blob(16), ?2 boottime_ms, ?3 wall_ms, ?4 jumps_ms
INSERT INTO clock_anchor (only_row, boot_id, boottime_ms, wall_ms, jumps_ms) VALUES (1, ?1, ?2, ?3, ?4)
ON CONFLICT (only_row) DO UPDATE SET boot_id = ?1, boottime_ms = ?2, wall_ms = ?3, jumps_ms = ?4;
