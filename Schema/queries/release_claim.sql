-- release_claim
-- ?1 delivery_no, ?2 fence, ?3 holder
UPDATE delivery_work SET claims = claims - 1, holder = NULL WHERE delivery_no = ?1 AND fence = ?2 AND holder = ?3;
