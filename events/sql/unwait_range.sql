-- unwait_range.sql: take the rows of a range off the list of rows that wait to be fed again.
UPDATE rollcall.refeed SET waits = FALSE
WHERE task_num = @num AND seq > @after AND seq <= @last AND waits
