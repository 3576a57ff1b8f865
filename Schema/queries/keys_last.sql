SELECT coalesce(max(key_no), 0) FROM session_key;
