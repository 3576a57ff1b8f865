-- The streams whose versions are not 1, 2, 3 …; the unique index over (session_no, version) does the rest.
SELECT session_no, max(version), count(*), max(position) FROM event
GROUP BY session_no HAVING min(version) <> 1 OR max(version) <> count(*);
