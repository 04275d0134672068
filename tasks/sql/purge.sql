-- purge.sql: remove the texts of tasks whose time is over. Tenant, kind, times and counts
-- stay; no text that a person wrote stays. Records are left to be swept.
--
-- A task that was set running again meanwhile is not done, and stays; so does
-- one whose file is still to be deleted, or one that another task still waits for.
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
