-- erase_edits.sql: delete the cells and notes of the audit of a row. Actor, act and time stay.
UPDATE rollcall.audit_log SET detail = '' WHERE subject = @subject AND seq = @seq AND seq > 0
