-- forget.sql: delete the checkpoints of the jobs with ids from @low to @high, both included.
DELETE FROM rollcall.checkpoints WHERE event_id BETWEEN @low AND @high
