-- expire.sql: delete mappings without a use since @before.
DELETE FROM mappings WHERE used_at < @before
