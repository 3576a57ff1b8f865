-- list_holders: workers, living or dead, that have claims
SELECT DISTINCT holder FROM delivery_work WHERE holder IS NOT NULL;
