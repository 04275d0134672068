-- fault_groups.sql: the groups of system faults of some tasks, with their rows that nobody left out.
SELECT task_num, print, fault, count - skipped
FROM error_groups
WHERE task_num = ANY (cast(@nums AS bigint[])) AND status = 'error' AND count > skipped
