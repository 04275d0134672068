-- turn.sql: take, or keep, a work that one process does at a time.
--
-- value is until when in unix ms, note who has it.
UPDATE ledger SET value = @until, note = @who
WHERE name = @work AND (value < @now OR note = @who)
