-- sweep.sql: forget what has opened nothing for a while.
DELETE FROM api_secrets WHERE until > 0 AND until < @before
