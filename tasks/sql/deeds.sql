-- deeds.sql: what operators of a tenant did, newest first.
SELECT num, at, tenant, actor, act, target, touched, detail
FROM ops_audit
WHERE tenant = @tenant AND num < @before
ORDER BY num DESC
LIMIT @most
