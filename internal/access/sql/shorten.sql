-- shorten.sql: end the secrets of a key at a time, unless they end before.
UPDATE rollcall.api_secrets SET until = @until
WHERE key_id = @id AND (until = 0 OR until > @until)
