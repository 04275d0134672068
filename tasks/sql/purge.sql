-- purge.sql: delete the texts of tasks whose retention is over. Tenant, kind, times and counts
-- stay, but no text of a user. Records are deleted later: see column sweep.
--
-- It skips a task whose files are not deleted yet, and a task that another task waits for. The
-- outer conditions are repeated for a task that runs again meanwhile.
UPDATE rollcall.tasks
SET purged_at = @now, sweep = 1, version = version + 1, name = '', created_by = '', labels = '{}',
    options = '{}', warnings = '[]', columns = '[]', param_names = NULL, problem = NULL, file_name = '', file_sheet = '',
    file_sha256 = '', callback_url = '', result_name = '', progress_text = '',
    result_sha256 = '', dedup_key = NULL
WHERE num IN (
    SELECT num FROM rollcall.tasks
    WHERE finished_at > 0 AND purged_at = 0 AND expires_at < @now
      AND (file_id = '' OR file_purged_at > 0)
      AND (result_id = '' OR result_purged_at > 0)
      AND (followers = 0 OR NOT EXISTS (
          SELECT 1 FROM rollcall.task_after a JOIN rollcall.tasks f ON f.num = a.task_num
          WHERE a.after_num = tasks.num AND NOT a.met AND f.finished_at = 0))
    ORDER BY expires_at
    LIMIT @most)
  AND finished_at > 0 AND purged_at = 0 AND expires_at < @now
