SELECT
    capture_id, session_no
FROM media_destruction
ORDER BY capture_id;
