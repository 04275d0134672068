-- skip_block.sql: have numbers of tasks go on with the block behind @block;
-- Postgres only.
--
-- Not if the next number is of another block already, is the first of its
-- block, or so near to its end that others may get there meanwhile.
SELECT setval('rollcall.tasks_num_seq', (cast(@block AS bigint) + 1) << 16, FALSE)
FROM rollcall.tasks_num_seq
WHERE last_value >> 16 = cast(@block AS bigint) AND is_called AND last_value & 65535 < 60000
