-- release_key.sql: remove a deduplication key from a task that no longer counts as a duplicate: it
-- is older than the window, is being canceled, has failed or was canceled. If @ended is 0, any
-- ended task loses its key. The task of a file also loses its key if a later task has another file
-- of the same tenant and kind, unless the later task failed or was canceled without a finished
-- row. The rows of the later file may have replaced those of the first.
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
