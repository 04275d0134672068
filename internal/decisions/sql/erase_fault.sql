-- erase_fault.sql: delete the text of an error group of a task, if it is the text of a fault of a row.
UPDATE rollcall.error_groups SET fault = '' WHERE task_num = @num AND fault IN (@fault, @other)
