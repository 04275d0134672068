-- callback_target.sql: return the callback URL of a task and the secret that signs its requests.
SELECT t.callback_url, s.secret
FROM tasks t
JOIN callback_secrets s ON s.tenant = t.tenant
WHERE t.num = @num
