-- names.sql: return the names of the members of params of tasks whose rows may be stored
-- without them: see names.go.
SELECT num, param_names FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[])) AND param_names IS NOT NULL
