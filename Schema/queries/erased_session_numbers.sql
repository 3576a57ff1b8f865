SELECT session_no FROM erasure ORDER BY session_no;
