-- acquire_role.sql: give a role to a process, or extend its time, unless another process has the
-- role.
--
-- value is the time until which a process has the role, in unix ms. note is the name of the
-- process.
UPDATE rollcall.ledger SET value = @until, note = @process
WHERE name = @role AND (value < @now OR note = @process)
