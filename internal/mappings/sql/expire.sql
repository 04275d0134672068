-- expire.sql: delete mappings without a use since @before.
DELETE FROM rollcall.mappings WHERE used_at < @before
