-- erase_row.sql: delete what a row held, what became of it and what users wrote about it. Its
-- number, status and times stay. @hash is the hash of lane and key of a row that finished by
-- running: older rows of the key stay behind it, by its version if it has one. It is 0 of other rows.
UPDATE rollcall.events
SET params = '{}', key = '', key_hash = @hash, score = CASE WHEN cast(@hash AS bigint) <> 0 THEN score END,
    finished_score = CASE WHEN cast(@hash AS bigint) <> 0 THEN score END,
    code = 'ERASED', col = NULL, value = NULL, message = @message,
    hint = NULL, fields = @fields, result = NULL, messages = NULL, print = NULL, ran_by = NULL,
    resolution = nullif(cast(@resolution AS text), ''), resolved_by = NULL, resolved_at = NULL,
    resolution_note = NULL, next_run_at = NULL, version = version + 1
WHERE id = @id
