package tabular

import "cmp"

// MaxRow and MaxColumn are the numbers of the last row and column of an Excel sheet (XFD1048576).
const (
	MaxRow    = 1 << 20
	MaxColumn = 1 << 14
)

// Limits holds the limits of the contents of a file. The zero value means the defaults.
type Limits struct {
	// Rows is the maximum number of data rows of a file. Default 1,048,576.
	Rows int
	// Columns is the number of the last column that may have a value. In a workbook it is at most
	// 16,384. Default 200.
	Columns int
	// CellChars is the maximum number of characters of a cell. A longer cell gets the code
	// TOO_LONG. Default 32,767.
	CellChars int
	// Unzipped is the maximum size of an unpacked upload in bytes. If a packed upload contains a workbook,
	// the parts of the workbook may have as many bytes again. Default 1 GiB.
	Unzipped int64
	// Ratio is the greatest ratio of the unpacked size of a part to its packed size. Parts of up
	// to 1 MiB are exempt. Sheets of equal cells have ratios above 100. Default 400.
	Ratio int
	// Entries is the maximum number of files in a zip file, such as a workbook. Default 10,000.
	Entries int
	// Memory is the maximum size, in bytes, of the shared strings of a workbook in memory. Further
	// shared strings go to an unnamed temporary file. Default 32 MiB.
	Memory int64
	// Dir is the folder of unnamed temporary files: unpacked uploads, and shared strings beyond the
	// limit Memory. Default: the temporary folder of the system.
	Dir string
}

// WithDefaults returns the limits with defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	l.Rows = cmp.Or(l.Rows, MaxRow)
	l.Columns = cmp.Or(l.Columns, 200)
	l.CellChars = cmp.Or(l.CellChars, 32767)
	l.Unzipped = cmp.Or(l.Unzipped, 1<<30)
	l.Ratio = cmp.Or(l.Ratio, 400)
	l.Entries = cmp.Or(l.Entries, 10_000)
	l.Memory = cmp.Or(l.Memory, 32<<20)
	return l
}

// KeptBytes returns how many bytes of a cell's text a reader keeps. They are enough to detect that
// the text is too long.
func (l Limits) KeptBytes() int { return 4*l.CellChars + 4 }
