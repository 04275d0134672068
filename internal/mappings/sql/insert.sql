-- insert.sql: add the mapping of a task, unless the task has one already.
INSERT INTO rollcall.mappings (id, tenant, kind, print, name, headings, fields, made_by, task_id, confirmed, used_at)
SELECT @id, @tenant, @kind, @print, @name, @headings, @fields, @by, @task, FALSE, cast(@now AS bigint)
WHERE NOT EXISTS (SELECT 1 FROM rollcall.mappings WHERE tenant = @tenant AND task_id = @task)
