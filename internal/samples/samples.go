// Package samples writes product files for the sample worker
// "products.import": as large as wanted, with known numbers of rows that are
// good, invalid, refused by the business rule, or that fail on our side.
//
// The promise: the same Options give the same rows, and Counts tells exactly
// what an import of them must come to, also where one SKU is there many times
// and the last good row must win.
//
// The package knows the columns of the sample worker and nothing of Rollcall:
// it imports none of its packages.
package samples

import (
	"cmp"
	"fmt"
	"io"
)

// Header is the columns of every file, in their order.
var Header = [7]string{"SKU", "Name", "Price", "Stock", "Brand", "Start", "Note"}

// Options tells what to write. The zero value is a workbook of 100 good rows.
type Options struct {
	// Rows is how many data rows there are, of all kinds. Default 100.
	Rows int
	// Format is "xlsx" or "csv". Default "xlsx".
	Format string
	// Seed decides about the order of the kinds of rows and their values.
	Seed uint64
	// Invalid is how many rows break the schema, with the codes REQUIRED,
	// INVALID_NUMBER, INVALID_DATE, TOO_LONG and PRICE_NOT_POSITIVE in turn.
	Invalid int
	// Failing is how many rows name a brand that does not exist and end as
	// failed with BRAND_UNKNOWN. Every other one has a repeated SKU, if any.
	Failing int
	// Errors is how many rows carry the note "!error" and end as error. Their
	// SKUs are their own, so that they hold up no other row.
	Errors int
	// Repeats is how many good rows share the repeated SKUs: ten of them, or
	// fewer if there are not two rows for each.
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

// Counts is what an import of the file must come to.
type Counts struct {
	// Rows = Good + Invalid + Failing + Errors.
	Rows, Good, Invalid, Failing, Errors int
	// DistinctSKU is how many SKUs the good rows have: the rows that the
	// catalogue gains.
	DistinctSKU int
	// Codes is how many rows must end with each code.
	Codes map[string]int
	// Last is, by each repeated SKU, the good row that must win.
	Last map[string]Last
}

// Last is the last good row of a SKU.
type Last struct {
	// Row is the row as the person sees it (the header is row 1).
	Row int
	// Name is the Name of that row.
	Name string
	// Price is the Price of that row with two decimals, such as "12.50".
	Price string
	// Writes is how many good rows the SKU has: upserts without faults.
	Writes int
}

// Write writes one file to w.
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
