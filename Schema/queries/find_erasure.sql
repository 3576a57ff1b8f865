-- find_erasure
-- ?1 session_no
SELECT requested_at_ms, key_destroyed_at_ms, swept_at_ms FROM erasure WHERE session_no = ?1;
