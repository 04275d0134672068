-- forget.sql: delete the checkpoints of jobs at rest.
DELETE FROM rollcall.checkpoints WHERE event_id BETWEEN @low AND @high
