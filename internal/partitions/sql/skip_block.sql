-- skip_block.sql: move task numbers to the block after @block; Postgres only.
--
-- Nothing changes if the next number is in another block already, or is the first of its block.
-- The same holds near the end of the block, because other tasks may reach the next block
-- meanwhile.
SELECT setval('rollcall.tasks_num_seq', (cast(@block AS bigint) + 1) << 16, FALSE)
FROM rollcall.tasks_num_seq
WHERE last_value >> 16 = cast(@block AS bigint) AND is_called AND last_value & 65535 < 60000
