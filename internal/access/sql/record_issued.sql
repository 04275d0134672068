-- record_issued.sql: record the issue time of a newer token of a person.
UPDATE rollcall.api_keys SET vouched_at = @vouched WHERE id = @id AND vouched_at < @vouched
