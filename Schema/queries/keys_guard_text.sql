-- The trigger that a rotation lifts and puts back, as it stands.
SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'session_key_is_only_ever_destroyed';
