-- list_media_destructions
-- ?1 how many at most
SELECT d.capture_id, s.session_id FROM media_destruction AS d JOIN session AS s ON s.session_no = d.session_no LIMIT ?1;
