-- back_all.sql: count all resubmitted rows as waiting to be fed, after rebuild_back.sql.
UPDATE rollcall.feeds SET back = (SELECT count(*) FROM rollcall.refeed r WHERE r.task_num = feeds.task_num)
WHERE EXISTS (SELECT 1 FROM rollcall.refeed r WHERE r.task_num = feeds.task_num)
