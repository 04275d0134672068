-- files_erased.sql: note that the files of a task were deleted.
DELETE FROM rollcall.ledger WHERE name = @name
