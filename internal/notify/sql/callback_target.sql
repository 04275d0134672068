-- callback_target.sql: return the callback URL of a task and the secret that signs its requests.
SELECT t.callback_url, s.secret
FROM rollcall.tasks t
JOIN rollcall.callback_secrets s ON s.tenant = t.tenant
WHERE t.num = @num
