-- unwait_range.sql: rows of a range do not wait to be fed once more.
UPDATE rollcall.refeed SET waits = FALSE
WHERE task_num = @num AND seq > @after AND seq <= @last AND waits
