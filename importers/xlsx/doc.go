// Package xlsx reads the rows of a workbook of Excel (.xlsx, .xlsm) as a stream.
//
//	container ─▶ workbook ─▶ sheet ─▶ rows
//	(a zip file)  (list of sheets, styles, shared strings)
//
// Next returns io.EOF only if the sheet is proved to be complete: every tag is closed, and the checksums of
// the sheet and of its shared strings are correct. For a damaged workbook Next returns a *tabular.Problem
// with the part and the last completely read row. Numbers keep the digits that Excel shows, and dates are
// in ISO 8601.
//
// Memory is bounded by tabular.Limits and does not grow with the rows of the file. Shared strings beyond
// Limits.Memory are in an unnamed temporary file.
//
// Package xlsx writes no workbooks and calculates no formulas. Of the packages of Rollcall, it imports only
// package tabular.
package xlsx
