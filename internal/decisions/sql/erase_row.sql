-- erase_row.sql: delete the params, the result, the messages and the decision of a row. Its number,
-- status and times stay. @hash is the hash of lane and key of a row that finished by running, so that
-- older rows of the key are still superseded. @hash is 0 for other rows.
UPDATE rollcall.events
SET params = '{}', key = '', key_hash = @hash, score = CASE WHEN cast(@hash AS bigint) <> 0 THEN score END,
    finished_score = CASE WHEN cast(@hash AS bigint) <> 0 THEN score END,
    code = 'ERASED', col = NULL, value = NULL, message = @message,
    hint = NULL, fields = @fields, result = NULL, messages = NULL, print = NULL, ran_by = NULL,
    resolution = nullif(cast(@resolution AS text), ''), resolved_by = NULL, resolved_at = NULL,
    resolution_note = NULL, next_run_at = NULL, version = version + 1
WHERE id = @id
