-- names.sql: return the stored names of params of tasks, without tasks that store none: see
-- params.go.
SELECT num, param_names FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[])) AND param_names IS NOT NULL
