-- used.sql: note that a key is in use, if that was noted long ago.
UPDATE api_keys SET last_used_at = @now WHERE id = @id AND last_used_at < @before
