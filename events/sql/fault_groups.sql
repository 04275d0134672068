-- fault_groups.sql: the groups of system faults of some tasks, with their rows that no user left
-- out. Rows without a fingerprint, such as those of a killed key, are in no group.
SELECT task_num, print, fault, count - skipped
FROM rollcall.error_groups
WHERE task_num = ANY (cast(@nums AS bigint[])) AND status = 'error' AND print <> '' AND count > skipped
