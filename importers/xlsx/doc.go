// Package xlsx reads the rows of a workbook of Excel (.xlsx, .xlsm) as a stream.
//
//	container ─▶ workbook ─▶ sheet ─▶ rows
//	(a zip file)  (list of sheets, styles, shared texts)
//
// The promise: Next returns io.EOF only at a proved end: every tag is closed, and the checksums of the
// sheet and of its shared texts are correct. Anything else is a *tabular.Problem that names the part
// and the last completely read row. A number keeps the digits that Excel shows, and a date is written
// in ISO 8601.
//
// The price: memory is bounded by tabular.Limits, not by the rows of the file. Shared texts
// are held compactly, and beyond Limits.Memory in an unnamed temporary file.
//
// The package depends on package tabular and on no other package of Rollcall: both could be
// published alone. It writes nothing and calculates no formula.
package xlsx
