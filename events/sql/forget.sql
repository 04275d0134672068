-- forget.sql: jobs at rest need no checkpoint.
DELETE FROM rollcall.checkpoints WHERE event_id BETWEEN @low AND @high
