-- act_keys.sql: return the earlier states of rows of an act that its undo can still restore. It
-- returns only states that may have a given key.
--
-- @pattern matches the key in the JSON text of was. It may also match states without the key.
SELECT r.was
FROM rollcall.review_rows r
JOIN rollcall.events e ON e.id = r.event_id AND e.version = r.version
WHERE r.act = @act AND NOT r.undone AND r.was LIKE @pattern ESCAPE '\'
ORDER BY r.event_id
