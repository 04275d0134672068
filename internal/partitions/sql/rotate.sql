-- rotate.sql: record that task numbers move to the next block. It returns no row if they did so
-- less than a period ago, so that only one of several processes moves them.
--
-- @now and @before are in unix ms.
UPDATE rollcall.ledger SET value = @now WHERE name = 'rotation' AND value <= @before RETURNING value
