-- erase.sql: delete the texts of a done task, as purge.sql does after the retention. Rows, records
-- and files are deleted later: see column sweep.
--
-- Returns the number of the task, and the number of its rows.
UPDATE rollcall.tasks
SET purged_at = @now, sweep = 2, expires_at = 0, version = version + 1, name = '', created_by = '', labels = '{}',
    options = '{}', warnings = '[]', columns = '[]', param_names = NULL, problem = NULL, file_name = '', file_sheet = '',
    file_sha256 = '', callback_url = '', result_name = '', progress_text = '',
    result_sha256 = '', dedup_key = NULL
WHERE id = @id AND tenant = @tenant AND finished_at > 0 AND purged_at = 0
RETURNING num, total
