-- sessions that an index finds under another number. Numbers 0 and 1 are kept as a type without bytes; where that is damaged into a type
-- with bytes, `PRAGMA integrity_check` compares what lies behind the entry, and may find there what it looks for
SELECT s.session_no FROM session AS s NOT INDEXED
WHERE s.session_no <= 1 AND (
    s.session_no IS NOT (SELECT i.session_no FROM session AS i WHERE i.session_id = s.session_id)
    OR (s.key_no IS NOT NULL AND s.session_no IS NOT (SELECT i.session_no FROM session AS i WHERE i.key_no = s.key_no))
);
