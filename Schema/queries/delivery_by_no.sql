-- ?1 delivery_no
SELECT delivery_id, session_no, capture_id, piece, destination, status FROM delivery WHERE delivery_no = ?1;
