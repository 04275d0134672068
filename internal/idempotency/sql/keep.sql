-- keep.sql: store the response of the claim's owner.
UPDATE rollcall.idempotency
SET print = @print, status = @status, head = @head, body = @body, until = 0
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
