-- back_all.sql: every resubmitted row waits to be fed.
UPDATE rollcall.feeds SET back = (SELECT count(*) FROM rollcall.refeed r WHERE r.task_num = feeds.task_num)
WHERE EXISTS (SELECT 1 FROM rollcall.refeed r WHERE r.task_num = feeds.task_num)
