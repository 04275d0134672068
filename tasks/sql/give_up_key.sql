-- give_up_key.sql: take a key from a task for which it counts no more: one that
-- is older than the window, that is being canceled or brought nothing about, or
-- that has ended, unless the argument ended says that those count.
UPDATE tasks
SET dedup_key = NULL
WHERE dedup_key = @key
  AND (created_at <= @since OR status = 'canceling' OR outcome IN ('failure', 'canceled')
       OR outcome <> '' AND cast(@ended AS int) = 0)
