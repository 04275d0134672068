-- any.sql: return 1 if a key was ever created or a person recorded, even if all keys were deleted since; else 0.
SELECT CASE WHEN EXISTS (SELECT 1 FROM rollcall.api_keys)
    OR EXISTS (SELECT 1 FROM rollcall.ledger WHERE name = 'keyed') THEN 1 ELSE 0 END
