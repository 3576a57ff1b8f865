-- ?1 session_no, ?2 swept_at_ms
UPDATE erasure SET swept_at_ms = coalesce(swept_at_ms, ?2) WHERE session_no = ?1;
