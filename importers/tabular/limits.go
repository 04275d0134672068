package tabular

import "cmp"

// maxRow and maxCol are the edges of an Excel sheet (XFD1048576).
const (
	MaxRow    = 1 << 20
	MaxColumn = 1 << 14
)

// Limits bounds what a file may hold. The zero value means the defaults.
type Limits struct {
	// Rows is how many data rows a file may hold. Default 1,048,576.
	Rows int
	// Columns is the last column that may hold a value. At most 16,384 in a
	// workbook. Default 200.
	Columns int
	// CellChars is how many characters a cell may hold; a longer one is a
	// cell with code TOO_LONG. Default 32,767.
	CellChars int
	// Unzipped is how many bytes an upload may unpack to, and a workbook of
	// that once more. Default 1 GiB.
	Unzipped int64
	// Ratio is how many times larger a part may become by unpacking; the
	// first MiB of each part is free. Excel packs sheets of equal cells to a
	// hundredth and less. Default 400.
	Ratio int
	// Entries is how many files the container of a workbook may list.
	// Default 10,000.
	Entries int
	// Memory is how many bytes of shared texts are kept in memory; the rest
	// goes to an unnamed temporary file. Default 32 MiB.
	Memory int64
	// Dir is the folder of temporary files, which have no names there: what is
	// unpacked, and what is beyond Memory. Default: that of the system.
	Dir string
}

// WithDefaults returns the limits with the default of each that is zero.
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

// KeptBytes returns how many bytes of a text are kept: enough to find that it is too long.
func (l Limits) KeptBytes() int { return 4*l.CellChars + 4 }
