// Package samples writes product files of any size for the sample kind "products.import". The caller
// chooses how many rows are invalid, and how many end as failed or in error.
//
// The same Options give the same rows. Counts holds the exact result of an import. If a SKU is repeated,
// its last good row determines the result. A good row is valid, and its job finishes.
//
// The package uses the columns of the sample kind, and imports no package of Rollcall.
package samples

import (
	"cmp"
	"fmt"
	"io"
)

// Header holds the columns of every file, in order.
var Header = [7]string{"SKU", "Name", "Price", "Stock", "Brand", "Start", "Note"}

// Options holds the properties of a file. The zero value is a workbook of 100 good rows.
type Options struct {
	// Rows is the number of data rows. Default 100.
	Rows int
	// Format is "xlsx" or "csv". Default "xlsx".
	Format string
	// Seed determines the values and the order of the rows.
	Seed uint64
	// Invalid is how many rows break the schema. Their codes are REQUIRED, INVALID_NUMBER, INVALID_DATE,
	// TOO_LONG and PRICE_NOT_POSITIVE, in rotation.
	Invalid int
	// Failing is how many rows have an unknown brand and end as failed with BRAND_UNKNOWN. If Repeats is
	// above 0, every second of these rows has a repeated SKU.
	Failing int
	// Errors is how many rows have the note "!error" and end in error. Their SKUs are unique, so that
	// they do not block other rows.
	Errors int
	// Repeats is how many good rows share their SKU with other rows. A file has at most ten such SKUs.
	Repeats int
}

func (o Options) withDefaults() Options {
	o.Rows = cmp.Or(o.Rows, 100)
	o.Format = cmp.Or(o.Format, "xlsx")
	return o
}

func (o Options) check() error {
	if min(o.Rows, o.Invalid, o.Failing, o.Errors, o.Repeats) < 0 {
		return fmt.Errorf("samples: a number of rows is negative: %+v", o)
	}
	if o.Invalid+o.Failing+o.Errors+o.Repeats > o.Rows {
		return fmt.Errorf("samples: %d rows cannot hold all the kinds asked for: %+v", o.Rows, o)
	}
	if o.Format != "xlsx" && o.Format != "csv" {
		return fmt.Errorf("samples: unknown format %q", o.Format)
	}
	return nil
}

// Counts holds the expected result of an import.
type Counts struct {
	// Rows is the sum of Good, Invalid, Failing and Errors.
	Rows, Good, Invalid, Failing, Errors int
	// DistinctSKU is the number of different SKUs in the good rows. The import adds one product to the
	// catalogue for each.
	DistinctSKU int
	// Codes holds the number of rows that must end with each code.
	Codes map[string]int
	// Last holds the last good row of each repeated SKU. After the import, the catalogue has the values
	// of this row.
	Last map[string]Last
}

// Last is the last good row of a SKU.
type Last struct {
	// Row is the row number in the file (the header is row 1).
	Row  int
	Name string
	// Price is the price with two decimals, such as "12.50".
	Price string
	// Writes is the number of good rows of the SKU. Without faults, the import writes the product this
	// many times.
	Writes int
}

// Write writes one file to w, and returns its counts.
func Write(w io.Writer, opt Options) (Counts, error) {
	opt = opt.withDefaults()
	if err := opt.check(); err != nil {
		return Counts{}, err
	}
	p := newPlan(opt)
	write := writeXLSX
	if opt.Format == "csv" {
		write = writeCSV
	}
	if err := write(w, p); err != nil {
		return Counts{}, fmt.Errorf("samples: write %s: %w", opt.Format, err)
	}
	return p.counts, nil
}
