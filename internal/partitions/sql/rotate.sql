-- rotate.sql: note that numbers go on to the next block; no row if they did
-- less than a period ago, so that one of many processes does it.
--
-- @now and @before are unix ms.
UPDATE rollcall.ledger SET value = @now WHERE name = 'rotation' AND value <= @before RETURNING value
