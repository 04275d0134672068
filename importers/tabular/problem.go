package tabular

import (
	"errors"
	"fmt"
)

// These are the codes of a Problem: the reasons why a file cannot be imported. The codes are stable.
const (
	// CodeEmptyFile means that the file, its sheet or its archive has no contents.
	CodeEmptyFile = "EMPTY_FILE"
	// CodeNoDataRows means that the file has a header and no row below it.
	CodeNoDataRows = "NO_DATA_ROWS"
	// CodeOldExcelFormat means that the file is an Excel 97-2003 workbook (.xls).
	CodeOldExcelFormat = "OLD_EXCEL_FORMAT"
	// CodePasswordProtected means that the file is an encrypted workbook or zip archive.
	CodePasswordProtected = "PASSWORD_PROTECTED"
	// CodeUnsupportedFormat means that Rollcall does not read the format of the file. Detail names the
	// format.
	CodeUnsupportedFormat = "UNSUPPORTED_FORMAT"
	// CodeUnknownEncoding means that the character set of a text cannot be determined, or that the chosen
	// character set does not exist. It also means that the text is in UTF-32.
	CodeUnknownEncoding = "UNKNOWN_ENCODING"
	// CodeDamagedFile means that the file is truncated or altered. Detail names the part and the
	// position. Row is the last row that was read completely.
	CodeDamagedFile = "DAMAGED_FILE"
	// CodeZipBomb means that the unpacked file is larger, or has more parts, than the Limits allow.
	CodeZipBomb = "ZIP_BOMB"
	// CodeUnsafeFile means that the file has content that no spreadsheet program writes and that may be an
	// attack. Examples are a DOCTYPE, a duplicate entry name, and an entry name that leads out of the
	// container.
	CodeUnsafeFile = "UNSAFE_FILE"
	// CodeTooManyRows means that the file has more data rows than Limits.Rows.
	CodeTooManyRows = "TOO_MANY_ROWS"
	// CodeTooManyColumns means that the file has a value right of column Limits.Columns.
	CodeTooManyColumns = "TOO_MANY_COLUMNS"
	// CodeSheetNotFound means that no sheet with cells has the requested name.
	CodeSheetNotFound = "SHEET_NOT_FOUND"
	// CodeNoSheet means that the workbook has no visible sheet with cells.
	CodeNoSheet = "NO_SHEET"
	// CodeEmptySheet means that the chosen sheet is empty and another sheet is not.
	CodeEmptySheet = "EMPTY_SHEET"
	// CodeHeaderNotFound means that the first 20 rows that are not blank contain no column headings, or
	// that the chosen row has none.
	CodeHeaderNotFound = "HEADER_NOT_FOUND"
	// CodeMissingColumn means that the file lacks a required column.
	CodeMissingColumn = "MISSING_COLUMN"
	// CodeDuplicateHeader means that two columns are mapped to one field, by the same heading or by two
	// headings of the field.
	CodeDuplicateHeader = "DUPLICATE_HEADER"
	// CodeUnclosedQuote means that a quotation mark opens in the line Problem.Row and is never closed.
	CodeUnclosedQuote = "UNCLOSED_QUOTE"
	// CodeStrayQuote means that a quoted cell, which starts at the line Problem.Row, contains a quotation
	// mark that can be interpreted in more than one way.
	CodeStrayQuote = "STRAY_QUOTE"
)

// These are the codes of a Cell: the reasons why a value cannot be used. The codes are stable.
const (
	// CodeFormulaError means that the cell shows an error such as #N/A.
	CodeFormulaError = "FORMULA_ERROR"
	// CodeFormulaNotCalculated means that the cell has a formula without a stored result.
	CodeFormulaNotCalculated = "FORMULA_NOT_CALCULATED"
	// CodeDamagedCell means that the value contradicts the type of the cell, such as a reference to
	// a shared text that does not exist.
	CodeDamagedCell = "DAMAGED_CELL"
	// CodeInvalidCharacter means that the text contains a control character other than a tab or
	// line end, such as NUL.
	CodeInvalidCharacter = "INVALID_CHARACTER"
	// CodeInvalidEncoding means that the cell contains bytes that are not text in the character set
	// of the file.
	CodeInvalidEncoding = "INVALID_ENCODING"
	// CodeInvalidDate means that a number with a date format is not a valid date.
	CodeInvalidDate = "INVALID_DATE"
	// CodeTooLong means that the text has more characters than Limits.CellChars.
	CodeTooLong = "TOO_LONG"
)

// Problem is the reason why a file cannot be imported, with a text for users. It is an error;
// errors.As finds it. Any other error is a fault of the service, such as unreadable storage.
type Problem struct {
	// Code is the stable code of the reason, such as CodeEmptyFile. Other packages add codes.
	Code string `json:"code"`
	// Detail names the fault and the next step in plain words.
	Detail string `json:"detail"`
	// Sheet is the name of the sheet with the fault, or "" for text files.
	Sheet string `json:"sheet,omitempty"`
	// Row is the row or line with the fault as the user sees it, or 0 if there is none. With
	// CodeDamagedFile it is the last row that was read completely.
	Row int `json:"row,omitempty"`
	// Column is the letter of the column with the fault, or "".
	Column string `json:"column,omitempty"`
	// Choices holds values of an upload option, the likeliest first. One of them may solve the problem.
	// With CodeUnknownEncoding, they are character sets.
	Choices []string `json:"choices,omitempty"`
	// Names holds the names of the columns that the file lacks.
	Names []string `json:"names,omitempty"`
	// Mapping maps headings to fields and may solve the problem. It is nil if no heading is similar
	// enough.
	Mapping map[string]string `json:"suggested_mapping,omitempty"`
	// Errors lists single faults, such as missing columns, if there are any. For a corrected file, it has
	// at most 100.
	Errors []Fault `json:"errors,omitempty"`
}

// Fault is one of the faults of a Problem.
type Fault struct {
	// Column is the letter of the column, or "".
	Column string `json:"column,omitempty"`
	// Row is the row as users see it, from 1, or 0 for none.
	Row int `json:"row,omitempty"`
	// Code is the code of this fault, usually the code of the Problem.
	Code string `json:"code"`
	// Detail describes this fault in plain words.
	Detail string `json:"detail"`
	// Name is the name of the missing column, or "" for other faults.
	Name string `json:"name,omitempty"`
	// Near is the heading most similar to Name, or "" if no heading is similar.
	Near string `json:"near,omitempty"`
}

// Error returns the code and the detail.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// Problemf returns a problem whose detail is formatted like fmt.Sprintf.
func Problemf(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Damaged returns the problem of a broken part of a workbook, with the fault and the next step.
func Damaged(part, format string, args ...any) *Problem {
	return Problemf(CodeDamagedFile,
		"The workbook is damaged: %s in its part %q. "+
			"Open it in Excel, save it again and upload the new copy.",
		fmt.Sprintf(format, args...), part)
}

// Placed adds missing data to a Problem: the sheet and, for a damaged file, the last completely read row.
// It returns other errors unchanged.
func Placed(err error, sheet string, row int) error {
	var p *Problem
	if !errors.As(err, &p) {
		return err
	}
	q := *p
	if q.Sheet == "" {
		q.Sheet = sheet
	}
	if q.Row == 0 && q.Code == CodeDamagedFile && row > 0 {
		q.Row = row
		q.Detail += fmt.Sprintf(" The last row that could be read is row %d.", row)
	}
	return &q
}

// FirstErr returns the first of two errors that is not nil, or nil. It does not join errors, because a user
// sees only one error.
func FirstErr(err, second error) error {
	if err != nil {
		return err
	}
	return second
}
