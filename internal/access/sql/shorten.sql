-- shorten.sql: end what opens a key at a time, unless it ends before.
UPDATE api_secrets SET until = @until
WHERE key_id = @id AND (until = 0 OR until > @until)
