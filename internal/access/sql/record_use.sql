-- record_use.sql: record the use of a key, if the last record is old.
UPDATE rollcall.api_keys SET last_used_at = @now WHERE id = @id AND last_used_at < @before
