-- kept_rows.sql: take rows out of an act that a later part of the act has changed again.
-- Returns how the act found them.
DELETE FROM rollcall.review_rows WHERE act = @act AND event_id = ANY (cast(@ids AS bigint[]))
RETURNING event_id, was
