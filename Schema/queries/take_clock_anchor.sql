-- the columns in their order
INSERT INTO clock_anchor (
    only_row, boot_id, boottime_ms, wall_ms, jumps_ms
) VALUES (?1, ?2, ?3, ?4, ?5);
