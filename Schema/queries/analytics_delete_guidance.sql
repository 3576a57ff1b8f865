-- ?1 session_no
DELETE FROM guidance WHERE session_no = ?1;
