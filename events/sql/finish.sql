-- finish.sql: end one job as finish, from the status and attempt its run left
-- it in; touches nothing if it is elsewhere by now, or if the ledger has fewer commits of
-- @witness than @seen: then it was set back. Without a witness nothing was counted.
UPDATE events
SET status = 'finish', attempt = @attempt, code = NULL, col = NULL, value = NULL, message = NULL,
    hint = NULL, fields = NULL, result = coalesce(cast(@result AS text), result),
    messages = CASE WHEN cast(@note AS text) IS NULL THEN messages
                    ELSE coalesce(messages, '') || cast(@note AS text) END,
    started_at = @started_at, finished_at = @finished_at, next_run_at = NULL,
    ran_by = coalesce(nullif(cast(@by AS integer), 0), ran_by), print = NULL, version = version + 1
WHERE id = @id AND status = @from AND attempt = @from_attempt
  AND (cast(@witness AS text) = ''
       OR EXISTS (SELECT 1 FROM ledger WHERE name = cast(@witness AS text) AND value >= @seen))
