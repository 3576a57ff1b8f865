SELECT count(*) FROM event_commit;
