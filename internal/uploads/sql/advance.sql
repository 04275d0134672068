-- advance.sql: move the end of an upload by @bytes, if it stands at @at. Touches 1 row, else none.
UPDATE rollcall.uploads SET received = received + @bytes
WHERE id = @id AND received = @at AND expires_at > @now
