-- checkpointed.sql: tasks that have checkpoints, of jobs from @low to @high.
SELECT DISTINCT event_id >> 32 FROM checkpoints WHERE event_id BETWEEN @low AND @high
