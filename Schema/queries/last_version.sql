-- ?1 session_no; the version of its newest event, NULL where it has none
SELECT max(version) FROM event WHERE session_no = ?1;
