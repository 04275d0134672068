-- forget.sql: let go of a key whose time is over, unless its request goes on.
DELETE FROM idempotency
WHERE tenant = @tenant AND key = @key AND expires_at <= @now AND until <= @now
