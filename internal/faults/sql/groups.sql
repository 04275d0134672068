-- groups.sql: return the groups of system faults of some tasks, with their numbers of rows
-- that no user has skipped or accepted. Rows without a fingerprint, such as those of a killed key,
-- are in no group.
SELECT task_num, print, fault, count - skipped
FROM rollcall.error_groups
WHERE task_num = ANY (cast(@nums AS bigint[])) AND status = 'error' AND print <> '' AND count > skipped
