-- the columns in their order
INSERT INTO media_destruction (
    capture_id, session_no
) VALUES (?1, ?2);
