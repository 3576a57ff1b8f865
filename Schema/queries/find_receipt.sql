-- ?1 session_no, ?2 command_id
SELECT body_digest, first_position, event_count FROM receipt WHERE session_no = ?1 AND command_id = ?2;
