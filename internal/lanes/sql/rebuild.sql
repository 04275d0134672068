-- rebuild.sql: schedule all pushed rows that are not at rest for a second feeding. Held rows stay
-- held.
UPDATE rollcall.feeds SET again_from = 0, again_to = fed WHERE fed > 0 OR claim_until > 0
