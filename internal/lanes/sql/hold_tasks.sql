-- hold_tasks.sql: lock tasks and their feeds until the transaction ends, the youngest task first.
-- Tasks that another transaction has locked are left out.
SELECT t.num FROM rollcall.tasks t JOIN rollcall.feeds f ON f.task_num = t.num
WHERE t.num = ANY (cast(@nums AS bigint[]))
ORDER BY t.num DESC
FOR UPDATE SKIP LOCKED
