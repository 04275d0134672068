-- act_keys.sql: return how an act found the rows of a key that its undo can still restore.
--
-- @pattern matches the key in the JSON text of was; other rows may match it, too.
SELECT r.was
FROM rollcall.review_rows r
JOIN rollcall.events e ON e.id = r.event_id AND e.version = r.version
WHERE r.act = @act AND NOT r.undone AND r.was LIKE @pattern ESCAPE '\'
ORDER BY r.event_id
