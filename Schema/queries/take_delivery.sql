INSERT INTO main.delivery (
    delivery_no, delivery_id, session_no, capture_id, piece, ordinal, destination, strict_order, status, blocked,
    settled_position, cause
) SELECT
    delivery_no, delivery_id, session_no, capture_id, piece, ordinal, destination, strict_order, status, blocked,
    settled_position, cause
FROM beside.delivery ORDER BY delivery_no;
