-- The digest of a request goes too: whoever guesses what was sent could test the guess against it.
-- ?1 session_no
UPDATE delivery_work SET frozen = NULL, body_digest = NULL, status_address = NULL
WHERE delivery_no IN (SELECT delivery_no FROM delivery WHERE session_no = ?1);
