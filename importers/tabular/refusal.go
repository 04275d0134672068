package tabular

import (
	"fmt"
)

// Unsupported returns the problem of a file with an unsupported format. The argument `what` names the
// format, such as "a PDF document".
func Unsupported(what string) *Problem {
	return Problemf(CodeUnsupportedFormat, "The file is %s. "+
		"Upload an Excel workbook (.xlsx) or a CSV file.", what)
}

// TooManyRows returns the problem of a file with more data rows than the argument `most`.
func TooManyRows(sheet string, row, most int) *Problem {
	return &Problem{
		Code: CodeTooManyRows, Sheet: sheet, Row: row,
		Detail: fmt.Sprintf("The file has more than %d rows of data. Split it into several files.", most),
	}
}

// Bomb returns the problem of a file whose unpacked size exceeds the limits.
func Bomb(what string, limit Limits) *Problem {
	return Problemf(CodeZipBomb, "The %s unpacks to far more than its size: "+
		"over %d times, or over %d MiB. Delete unused rows, columns and sheets, "+
		"save it and upload it again.", what, limit.Ratio, limit.Unzipped>>20)
}
