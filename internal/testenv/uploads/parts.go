package uploads

// TwoRows is a header and two good data rows.
const TwoRows = Header + `<row r="2"><c r="A2"><v>1</v></c></row>` +
	`<row r="3"><c r="B3"><v>2</v></c></row>`

// SheetPart is the name of the part of a workbook that contains the rows.
const SheetPart = "xl/worksheets/sheet1.xml"
