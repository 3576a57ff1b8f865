-- release_claims_of_holder
-- ?1 holder: it is dead; its claims keep their count, so that what kills workers is found
UPDATE delivery_work SET holder = NULL WHERE holder = ?1;
