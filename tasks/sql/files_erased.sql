-- files_erased.sql: note that the files of a task were deleted.
DELETE FROM ledger WHERE name = @name
