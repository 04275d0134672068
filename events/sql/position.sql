-- position.sql: where the rows of the one who has the claim go.
SELECT total FROM tasks WHERE num = @num AND split_claim = @claim AND NOT total_is_final
