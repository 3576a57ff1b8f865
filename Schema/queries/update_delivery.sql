-- ?1 delivery_no, ?2 status, ?3 blocked or NULL, ?4 settled_position or NULL, ?5 cause or NULL
UPDATE delivery SET status = ?2, blocked = ?3, settled_position = ?4, cause = ?5 WHERE delivery_no = ?1;
