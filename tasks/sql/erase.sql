-- erase.sql: remove the texts of one finished task of a tenant, as purge.sql does when its
-- time is over. Rows, records and files are left to be swept.
--
-- Returns its number, and how many rows it had.
UPDATE rollcall.tasks
SET purged_at = @now, sweep = 2, expires_at = 0, version = version + 1, name = '', created_by = '', labels = '{}',
    options = '{}', warnings = '[]', columns = '[]', param_names = NULL, problem = NULL, file_name = '', file_sheet = '',
    file_sha256 = '', callback_url = '', result_name = '', progress_text = '',
    result_sha256 = '', dedup_key = NULL
WHERE id = @id AND tenant = @tenant AND finished_at > 0 AND purged_at = 0
RETURNING num, total
