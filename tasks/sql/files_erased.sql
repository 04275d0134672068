-- files_erased.sql: record that the files of a task were deleted.
DELETE FROM rollcall.ledger WHERE name = @name
