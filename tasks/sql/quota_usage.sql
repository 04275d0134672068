-- quota_usage.sql: return how much of its quotas a tenant has used: tasks that are not done, rows that are
-- not at rest, and bytes of stored files.
--
-- Files are uploads of tasks, uploads without a task, and results. An upload without a task counts
-- with its full size, even if parts of it are missing, until it is deleted.
SELECT u.tasks, u.jobs, f.bytes + p.bytes + r.bytes
FROM (SELECT count(*) AS tasks, cast(coalesce(sum(enqueue + working), 0) AS bigint) AS jobs
      FROM rollcall.tasks WHERE tenant = @tenant AND finished_at = 0) u,
     (SELECT cast(coalesce(sum(file_size), 0) AS bigint) AS bytes
      FROM rollcall.tasks WHERE tenant = @tenant AND file_id <> '' AND file_purged_at = 0) f,
     (SELECT cast(coalesce(sum(size), 0) AS bigint) AS bytes
      FROM rollcall.uploads w WHERE w.tenant = @tenant AND w.started_at = 0
          AND NOT EXISTS (SELECT 1 FROM rollcall.tasks t WHERE t.id = w.task_id)) p,
     (SELECT cast(coalesce(sum(result_size), 0) AS bigint) AS bytes
      FROM rollcall.tasks WHERE tenant = @tenant AND result_id <> '' AND result_purged_at = 0) r
