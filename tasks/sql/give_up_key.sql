-- give_up_key.sql: take a deduplication key from a task that no longer counts for it. The
-- task is older than the window, is being canceled, has failed or was canceled. If
-- the argument ended is 0, any ended task loses its key. The task of a file also loses it
-- once another file of its kind came later, whose rows have replaced its rows.
UPDATE rollcall.tasks
SET dedup_key = NULL
WHERE dedup_key = @key
  AND (created_at <= @since OR status = 'canceling' OR outcome IN ('failure', 'canceled')
       OR outcome <> '' AND cast(@ended AS int) = 0
       OR file_sha256 <> '' AND EXISTS (
           SELECT 1 FROM rollcall.tasks n
           WHERE n.num > tasks.num AND n.tenant = tasks.tenant AND n.kind = tasks.kind
             AND n.file_sha256 <> '' AND n.file_sha256 <> tasks.file_sha256
             AND NOT (n.outcome IN ('failure', 'canceled') AND n.finish = 0)))
