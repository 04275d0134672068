-- address.sql: where the end of a task is to be told, and what signs it.
SELECT t.callback_url, s.secret
FROM tasks t
JOIN callback_secrets s ON s.tenant = t.tenant
WHERE t.num = @num
