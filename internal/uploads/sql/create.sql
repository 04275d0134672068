-- create.sql: add an upload, unless its tenant has @most uploads that have neither expired nor become a task.
INSERT INTO rollcall.uploads (id, tenant, made_by, name, size, received, kind, task_name, task_id, options, file_id, sha256, created_at, expires_at)
SELECT @id, @tenant, @by, @name, cast(@size AS bigint), cast(@received AS bigint), @kind, @task_name, @task, @options, @file, @sha256,
    cast(@now AS bigint), cast(@expires AS bigint)
WHERE (SELECT count(*) FROM (SELECT 1 FROM rollcall.uploads WHERE tenant = @tenant AND expires_at > cast(@now AS bigint) AND started_at = 0 LIMIT cast(@most AS bigint)) AS few) < cast(@most AS bigint)
