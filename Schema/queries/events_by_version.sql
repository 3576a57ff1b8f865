-- From the index over them alone: each session's versions in order, with their positions.
SELECT session_no, version, position FROM event INDEXED BY event_of_session_in_order ORDER BY session_no, version;
