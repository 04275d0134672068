// Package table writes rows as text, as JSON lines and as the XML of a
// workbook's sheet, and makes what stands around them in a workbook.
//
// What a spreadsheet would run as a formula is defused in text files and is a
// plain text in workbooks; what a character set or XML cannot hold is written so
// that it can be read back. Nothing that the package writes depends on the time,
// the process or the order of a map.
//
// It knows no task and no store: packages importers and exporters put the rows
// where they belong.
package table
