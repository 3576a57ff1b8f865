-- ?1 delivery_no
SELECT coalesce(max(number), 0) FROM attempt WHERE delivery_no = ?1;
