-- Events whose version in their session rises where their position does not.
SELECT later.position FROM event AS later
JOIN event AS earlier ON earlier.session_no = later.session_no AND earlier.version = later.version - 1
WHERE earlier.position > later.position;
