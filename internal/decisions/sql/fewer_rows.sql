-- fewer_rows.sql: reduce the number of rows of an act, and of its restored rows.
UPDATE rollcall.review_acts SET rows = rows - @rows, undone = undone - @undone WHERE num = @act
