-- rebuild_held_keys.sql: forget all keys of held rows.
DELETE FROM held_keys
