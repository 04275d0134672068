-- update_person.sql: what a person is called and may, if that has changed.
UPDATE api_keys SET name = @name, role = @role
WHERE id = @id AND revoked_at = 0 AND (name <> @name OR role <> @role)
