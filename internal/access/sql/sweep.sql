-- sweep.sql: delete secrets that ended long ago.
DELETE FROM rollcall.api_secrets WHERE until > 0 AND until < @before
