-- update_person.sql: set name and role of a person, if they changed. A revoked person is not changed, nor
-- are values that a newer token or sign-in has set.
UPDATE rollcall.api_keys SET name = @name, role = @role, vouched_at = @vouched
WHERE id = @id AND revoked_at = 0 AND vouched_at <= @vouched AND (name <> @name OR role <> @role)
