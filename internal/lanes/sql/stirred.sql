-- stirred.sql: have the keys of a lane reported to Redis at @at, unless they are to be reported
-- anew since a pass over them began with @was.
UPDATE rollcall.lanes SET stir_at = @at WHERE id = @lane AND stir_at = @was
