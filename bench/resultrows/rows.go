// Package resultrows has the rows of the benches of result files: ten columns of texts, numbers and
// dates. Every hundredth row has a fault.
package resultrows

import (
	"context"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// Columns is how many columns a row has.
const Columns = 10

// Row is a row as a struct.
type Row struct {
	SKU   string    `row:"SKU" key:"true"`
	Name  string    `row:"Name"`
	Price float64   `row:"Price"`
	Stock int       `row:"Stock"`
	Brand string    `row:"Brand"`
	Start time.Time `row:"Start"`
	Note  string    `row:"Note"`
	Width float64   `row:"Width"`
	Group string    `row:"Group"`
	City  string    `row:"City"`
}

// Kind is the kind of the rows.
func Kind() jobs.Kind {
	return jobs.KindOf(worker.Define("bench.result", func(context.Context, *worker.Job[Row]) error { return nil }))
}

// Number reports whether a column holds numbers.
func Number(column int) bool { return column == 2 || column == 3 || column == 7 }

// Bad reports whether row i fails, because of its price.
func Bad(i int) bool { return i%100 == 99 }

// Cells returns the texts of row i.
func Cells(i int) [Columns]string {
	n := strconv.Itoa(i)
	return [Columns]string{
		"SKU-" + n, "Product number " + n, strconv.Itoa(i%900+1) + "." + strconv.Itoa(i%9+1), strconv.Itoa(i % 5000),
		[...]string{"Acme", "Globex", "Initech", "Stark", "Umbrella"}[i%5],
		"2026-0" + strconv.Itoa(i%9+1) + "-1" + strconv.Itoa(i%10), "a remark about <" + n + ">",
		strconv.Itoa(i%80) + ".5", "group " + strconv.Itoa(i%40), "Springfield",
	}
}
