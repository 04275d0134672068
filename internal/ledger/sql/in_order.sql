-- in_order.sql: have the statements of this transaction read tables by an index, in its order.
SELECT set_config('enable_seqscan', 'off', TRUE), set_config('enable_bitmapscan', 'off', TRUE),
       set_config('enable_sort', 'off', TRUE), set_config('enable_hashjoin', 'off', TRUE),
       set_config('enable_mergejoin', 'off', TRUE), set_config('jit', 'off', TRUE)
