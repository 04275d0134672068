-- forget_people.sql: replace the names of up to @most people of a tenant with their ids.
UPDATE rollcall.api_keys SET name = id
WHERE id IN (SELECT id FROM rollcall.api_keys WHERE tenant = @tenant AND prefix = '' AND name <> id ORDER BY num LIMIT @most)
