-- expire.sql: delete mappings without a name and without a use since @before, and mappings of before
-- @tried whose task did not end well.
DELETE FROM rollcall.mappings
WHERE used_at < @before AND name = '' OR used_at < @tried AND NOT confirmed
