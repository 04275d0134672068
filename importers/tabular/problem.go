package tabular

import (
	"errors"
	"fmt"
)

// Codes of a Problem: the reasons why a file cannot be imported. They are stable.
const (
	// CodeEmptyFile means the file holds no data at all.
	CodeEmptyFile = "EMPTY_FILE"
	// CodeNoDataRows means that the file has a header and no row below it.
	CodeNoDataRows = "NO_DATA_ROWS"
	// CodeOldExcelFormat means an Excel 97-2003 workbook (.xls).
	CodeOldExcelFormat = "OLD_EXCEL_FORMAT"
	// CodePasswordProtected means an encrypted workbook.
	CodePasswordProtected = "PASSWORD_PROTECTED"
	// CodeUnsupportedFormat means another kind of file; Detail names it.
	CodeUnsupportedFormat = "UNSUPPORTED_FORMAT"
	// CodeUnknownEncoding means text whose character set cannot be guessed
	// safely, or an encoding that does not exist.
	CodeUnknownEncoding = "UNKNOWN_ENCODING"
	// CodeDamagedFile means that the file is truncated or altered. Detail names the part and the
	// place. Row is the last row that was read completely.
	CodeDamagedFile = "DAMAGED_FILE"
	// CodeZipBomb means the workbook unpacks to more than Limits allow.
	CodeZipBomb = "ZIP_BOMB"
	// CodeUnsafeFile means content that no spreadsheet program writes and
	// that attacks readers: a DOCTYPE, doubled or escaping entry names.
	CodeUnsafeFile = "UNSAFE_FILE"
	// CodeTooManyRows means more data rows than Limits.Rows.
	CodeTooManyRows = "TOO_MANY_ROWS"
	// CodeTooManyColumns means a value right of column Limits.Columns.
	CodeTooManyColumns = "TOO_MANY_COLUMNS"
	// CodeSheetNotFound means that no sheet has the requested name.
	CodeSheetNotFound = "SHEET_NOT_FOUND"
	// CodeNoSheet means the workbook has no visible sheet with cells.
	CodeNoSheet = "NO_SHEET"
	// CodeEmptySheet means that the chosen sheet is empty and another sheet is not.
	CodeEmptySheet = "EMPTY_SHEET"
	// CodeHeaderNotFound means no row looks like column headings.
	CodeHeaderNotFound = "HEADER_NOT_FOUND"
	// CodeMissingColumn means that the file lacks a required column.
	CodeMissingColumn = "MISSING_COLUMN"
	// CodeDuplicateHeader means two columns for one field, with the same heading or with two headings
	// of the field.
	CodeDuplicateHeader = "DUPLICATE_HEADER"
	// CodeUnclosedQuote means a quotation mark that is opened at line Row
	// and never closed.
	CodeUnclosedQuote = "UNCLOSED_QUOTE"
	// CodeStrayQuote means a quotation mark at line Row that can be read in
	// more than one way.
	CodeStrayQuote = "STRAY_QUOTE"
)

// Codes of a Cell: the reasons why a value cannot be used. They are stable.
const (
	// CodeFormulaError means the cell shows an error such as #N/A.
	CodeFormulaError = "FORMULA_ERROR"
	// CodeFormulaNotCalculated means a formula without a stored result.
	CodeFormulaNotCalculated = "FORMULA_NOT_CALCULATED"
	// CodeDamagedCell means a value that contradicts its own type, such as a
	// reference to a shared text that does not exist.
	CodeDamagedCell = "DAMAGED_CELL"
	// CodeInvalidCharacter means a control character, such as NUL.
	CodeInvalidCharacter = "INVALID_CHARACTER"
	// CodeInvalidEncoding means bytes that are not text in the character set
	// of the file.
	CodeInvalidEncoding = "INVALID_ENCODING"
	// CodeInvalidDate means a number with a date format that is not a valid date.
	CodeInvalidDate = "INVALID_DATE"
	// CodeTooLong means more characters than Limits.CellChars.
	CodeTooLong = "TOO_LONG"
)

// Problem is the reason why a file cannot be imported, with a text for the person who uploaded it. It
// is an error, for errors.As. Any other error is a fault of the service, such as unreadable storage.
type Problem struct {
	// Code is one of the constants above.
	Code string `json:"code"`
	// Detail names the fault and the next step in plain words.
	Detail string `json:"detail"`
	// Sheet is the sheet with the fault, empty for text files.
	Sheet string `json:"sheet,omitempty"`
	// Row is the row or line as the person sees it, from 1; 0 if none. With DAMAGED_FILE it is the
	// last row that was read completely.
	Row int `json:"row,omitempty"`
	// Column is the letter of the column, empty if none.
	Column string `json:"column,omitempty"`
	// Choices are values of the option that would help, the likeliest first:
	// with UNKNOWN_ENCODING, character sets.
	Choices []string `json:"choices,omitempty"`
	// Names are the columns at fault that the file does not have.
	Names []string `json:"names,omitempty"`
	// Mapping is a mapping from heading to field that may fix the problem; nil if no heading is
	// similar enough.
	Mapping map[string]string `json:"suggested_mapping,omitempty"`
	// Errors lists every place at fault if there are several.
	Errors []Fault `json:"errors,omitempty"`
}

// Fault is one place of a Problem.
type Fault struct {
	// Column is the letter of the column.
	Column string `json:"column,omitempty"`
	// Row is the row as the person sees it, from 1.
	Row int `json:"row,omitempty"`
	// Code is the code of this place, mostly the code of the Problem.
	Code string `json:"code"`
	// Detail names the fault of this place in plain words.
	Detail string `json:"detail"`
	// Name is the missing column, empty for other faults.
	Name string `json:"name,omitempty"`
	// Near is the heading most similar to Name, empty if none is similar.
	Near string `json:"near,omitempty"`
}

// Error returns the code and the detail.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// Problemf returns a problem with a detail in the manner of fmt.Sprintf.
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

// Placed adds the sheet and the last completely read row to a Problem that lacks them. It returns
// other errors unchanged.
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

// FirstErr returns the first of two errors that is not nil, because a person sees only one error.
func FirstErr(err, second error) error {
	if err != nil {
		return err
	}
	return second
}
