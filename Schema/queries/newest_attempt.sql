SELECT coalesce(max(attempt_no), 0) FROM attempt;
