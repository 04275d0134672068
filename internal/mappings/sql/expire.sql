-- expire.sql: delete mappings without a name that were not used since @before. It also deletes mappings
-- from before @tried whose task has no success.
DELETE FROM rollcall.mappings
WHERE used_at < @before AND name = '' OR used_at < @tried AND NOT confirmed
