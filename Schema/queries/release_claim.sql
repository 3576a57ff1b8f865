-- ?1 delivery_no, ?2 fence
UPDATE delivery_work SET claims = claims - 1, holder = NULL WHERE delivery_no = ?1 AND fence = ?2;
