"""read.py FILE: prints each row of the first sheet of a workbook as JSON, read with openpyxl."""

import json
import sys

import openpyxl

for row in openpyxl.load_workbook(sys.argv[1]).worksheets[0].iter_rows(values_only=True):
    print(json.dumps(row, ensure_ascii=False, default=str))
