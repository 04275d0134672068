-- prints.sql: return the fingerprints of system faults that some tasks already have.
SELECT DISTINCT task_num, print FROM rollcall.error_groups
WHERE task_num = ANY (cast(@nums AS bigint[])) AND print <> ''
