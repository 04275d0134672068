-- unresolve.sql: forget what a person had made of a row that was bad.
UPDATE events
SET resolution = NULL, resolved_by = NULL, resolved_at = NULL, resolution_note = NULL
WHERE id = @id
