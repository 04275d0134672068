-- forget.sql: delete an expired key, unless its request is running.
DELETE FROM rollcall.idempotency
WHERE tenant = @tenant AND key = @key AND expires_at <= @now AND until <= @now
