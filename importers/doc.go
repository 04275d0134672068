// Package importers turns an uploaded spreadsheet into rows, and rows into jobs.
//
// Reading: Open looks at the first bytes of an upload, tells what the file
// really is, finds its header, and hands out its rows one by one. It reads
// .xlsx, .xlsm, .csv and .tsv, whatever the file is called; Inspect and the
// Splitter also read rows in JSON, one object a line or one list. Each may be
// packed by gzip, or be the only file in a zip archive.
//
// The promise: Next returns io.EOF only when the end was proved. For a
// workbook that means every tag is closed, the checksums of the sheet and of
// its shared strings are right; for a text file, every quote is closed and
// every byte was read. Anything else is a *Problem in words for the person who
// uploaded the file: a short import never looks like a whole one. A bad cell
// costs its row: it carries a code, and the rows around it are untouched.
//
// The price: memory is bounded by Limits, not by the rows of the file. Texts
// shared by cells are held compactly, and beyond Limits.Memory in an unnamed
// temporary file.
//
//	bytes ─▶ content ─┬▶ zip ─▶ workbook ─▶ sheet ─┬▶ header ─▶ rows
//	(unpacked once)   ├▶ encoding ─▶ dialect ─▶ csv ┘
//	                  └▶ encoding ─▶ lines or list of JSON ─▶ rows
//
// Opening and reading know no queue, no ledger and no HTTP: bytes go in, rows
// come out.
package importers
