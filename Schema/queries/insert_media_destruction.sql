-- insert_media_destruction
-- ?1 capture_id blob(16), ?2 session_no
INSERT OR IGNORE INTO media_destruction (capture_id, session_no) VALUES (?1, ?2);
