-- Erasures that were begun, whether or not they are finished.
SELECT r.session_no, s.session_id, s.key_no FROM erasure AS r JOIN session AS s ON s.session_no = r.session_no
ORDER BY r.session_no;
