-- note.sql: who changed a key.
INSERT INTO api_key_changes (at, tenant, key, actor, act, detail)
VALUES (@now, @tenant, @id, @actor, @act, @detail)
