-- ?1 delivery_no, ?2 fence, ?3 frozen sealed blob, ?4 body_digest blob(32)
UPDATE delivery_work SET frozen = ?3, body_digest = ?4 WHERE delivery_no = ?1 AND fence = ?2 AND frozen IS NULL
    AND (body_digest IS NULL OR body_digest = ?4);
