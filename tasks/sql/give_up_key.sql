-- give_up_key.sql: take a key from a task for which it counts no more: one that
-- is older than the window, that is being canceled or brought nothing about, or
-- that has ended, unless the argument ended says that those count. The task of a file
-- also gives it up once another file came for its kind: that one has replaced its rows.
UPDATE tasks
SET dedup_key = NULL
WHERE dedup_key = @key
  AND (created_at <= @since OR status = 'canceling' OR outcome IN ('failure', 'canceled')
       OR outcome <> '' AND cast(@ended AS int) = 0
       OR file_sha256 <> '' AND EXISTS (
           SELECT 1 FROM tasks n
           WHERE n.num > tasks.num AND n.tenant = tasks.tenant AND n.kind = tasks.kind
             AND n.file_sha256 <> '' AND n.file_sha256 <> tasks.file_sha256
             AND NOT (n.outcome IN ('failure', 'canceled') AND n.finish = 0)))
