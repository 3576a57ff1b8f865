DELETE FROM media_destruction;
