SELECT
    only_row, boot_id, boottime_ms, wall_ms, jumps_ms
FROM clock_anchor
ORDER BY only_row;
