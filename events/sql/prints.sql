-- prints.sql: return the fingerprints of system faults that some tasks count already.
SELECT DISTINCT task_num, print FROM rollcall.error_groups
WHERE task_num = ANY (cast(@nums AS bigint[])) AND print <> ''
