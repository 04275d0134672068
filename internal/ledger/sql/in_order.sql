-- in_order.sql: make Postgres read tables in the order of an index for the rest of the
-- transaction.
SELECT set_config('enable_seqscan', 'off', TRUE), set_config('enable_bitmapscan', 'off', TRUE),
       set_config('enable_sort', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE),
       set_config('enable_mergejoin', 'off', TRUE), set_config('jit', 'off', TRUE)
