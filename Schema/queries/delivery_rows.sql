SELECT
    delivery_no, delivery_id, session_no, capture_id, piece, ordinal, destination, strict_order, status, blocked,
    settled_position, cause
FROM delivery ORDER BY delivery_no;
