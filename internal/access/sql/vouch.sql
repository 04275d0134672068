-- vouch.sql: note that a newer token of a person was issued.
UPDATE api_keys SET vouched_at = @vouched WHERE id = @id AND vouched_at < @vouched
