-- stray.sql: put a row that is not at rest on the list of resubmitted rows, as a row that is in
-- Redis. A row that is on the list already stays unchanged.
INSERT INTO rollcall.refeed (task_num, seq, attempt, waits, anyway)
SELECT f.task_num, @seq, e.attempt, FALSE, FALSE
FROM rollcall.feeds f
JOIN rollcall.events e ON e.id = @id AND e.status IN ('enqueue', 'working')
WHERE f.task_num = @num
ON CONFLICT (task_num, seq) DO UPDATE SET anyway = refeed.anyway
