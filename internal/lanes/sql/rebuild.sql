-- rebuild.sql: push everything again that was pushed and is not at rest. Held rows stay held.
UPDATE rollcall.feeds SET again_from = 0, again_to = fed WHERE fed > 0 OR claim_until > 0
