-- rebuild.sql: push everything again that was pushed and is not at rest.
UPDATE feeds SET again_from = 0, again_to = fed, held = 0 WHERE fed > 0 OR claim_until > 0
