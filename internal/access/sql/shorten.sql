-- shorten.sql: let the secrets of a key end at @until, unless they end earlier.
UPDATE rollcall.api_secrets SET until = @until
WHERE key_id = @id AND (until = 0 OR until > @until)
