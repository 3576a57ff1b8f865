-- delete_erasure_request
-- ?1 session_no
DELETE FROM erasure_request WHERE session_no = ?1;
