-- kept_rows.sql: remove rows from an act that a later part of the act has changed again. Without @first and
-- @last, Postgres reads the whole act. Returns the states of the rows before the act, their versions after
-- it, and whether an undo has restored them.
DELETE FROM rollcall.review_rows WHERE act = @act AND event_id BETWEEN @first AND @last AND event_id = ANY (cast(@ids AS bigint[]))
RETURNING event_id, was, version, undone
