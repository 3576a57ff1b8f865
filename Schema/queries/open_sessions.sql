-- open_sessions
-- Sessions that are not over, by phase, and how many of them are suspended; in one pass that groups nothing.
SELECT count(CASE WHEN phase = 'capturing' THEN 1 END), count(CASE WHEN phase = 'needs_recapture' THEN 1 END),
    count(CASE WHEN phase = 'waiting_for_verification' THEN 1 END), count(CASE WHEN status = 'suspended' THEN 1 END)
FROM flow WHERE status IN ('active', 'suspended');
