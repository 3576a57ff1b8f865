-- delete_media_destruction
-- ?1 capture_id blob(16)
DELETE FROM media_destruction WHERE capture_id = ?1;
