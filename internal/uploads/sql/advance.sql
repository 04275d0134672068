-- advance.sql: advance the end of an upload by @bytes, if it is at @at and the upload has not expired.
-- Otherwise the statement changes no row.
UPDATE rollcall.uploads SET received = received + @bytes
WHERE id = @id AND received = @at AND expires_at > @now
