-- ?1 session_no, ?2 key_destroyed_at_ms
UPDATE erasure SET key_destroyed_at_ms = coalesce(key_destroyed_at_ms, ?2) WHERE session_no = ?1;
