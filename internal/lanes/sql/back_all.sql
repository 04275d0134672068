-- back_all.sql: every resubmitted row waits to be fed.
UPDATE feeds SET back = (SELECT count(*) FROM refeed r WHERE r.task_num = feeds.task_num)
WHERE EXISTS (SELECT 1 FROM refeed r WHERE r.task_num = feeds.task_num)
