package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// PartFiles is where the files of parts go: package exporters has them.
type PartFiles interface {
	// Open begins the file of a part, or goes on behind what an earlier run of it
	// has saved. The columns are those that are written.
	Open(ctx context.Context, c *Call, spec table.Spec, columns []table.Column) (PartFile, error)
}

// PartFile is the file of a part that is being written, by one goroutine.
type PartFile interface {
	// Cursor is what the run before has saved; nil if nothing.
	Cursor() json.RawMessage

	// Add adds a row. Its error is that of every call from then on.
	Add(cells []table.Cell) error

	// Save has a later run go on behind the rows so far, with the cursor.
	Save(ctx context.Context, cursor json.RawMessage) error

	// Rows is how many rows there are, with those of earlier runs.
	Rows() int64

	// Close brings the file to its end, and returns the result of the job. kept is the
	// result that the handler has set, a member of it; nil: none.
	Close(ctx context.Context, kept json.RawMessage) (result any, err error)

	// Drop gives the file up. It does nothing after Close.
	Drop()
}

// RowWriter takes the rows of a part. It is for one goroutine.
type RowWriter[Row any] struct{ out *rowOut[Row] }

type rowOut[Row any] struct {
	file  PartFile
	row   *Row // the one being written, which read looks at
	read  []func(*table.Cell)
	cells []table.Cell
}

func newRowWriter[Row any](ctx context.Context, c *Call, s *Schema, spec table.Spec) (*rowOut[Row], error) {
	all := columnsOf(s)
	out := &rowOut[Row]{row: new(Row)}
	var columns []table.Column
	v := reflect.ValueOf(out.row).Elem()
	for _, i := range spec.Pick(all) {
		columns = append(columns, all[i])
		read := cellReader(v.FieldByIndex(s.Fields[i].index))
		if s.Fields[i].ofDays() {
			read = dayOf(read)
		}
		out.read = append(out.read, read)
	}
	out.cells = make([]table.Cell, len(columns))
	file, err := c.Parts.Open(ctx, c, spec, columns)
	out.file = file
	return out, err
}

// Write adds a row behind those before it. An error is for good: return it.
func (w RowWriter[Row]) Write(row Row) error {
	*w.out.row = row
	for i, read := range w.out.read {
		read(&w.out.cells[i])
	}
	return w.out.file.Add(w.out.cells)
}

// Rows is how many rows the part has so far, with those that Resume has found.
func (w RowWriter[Row]) Rows() int64 { return w.out.file.Rows() }

// Save keeps a cursor, as JSON, together with the rows so far: a run that comes
// after a crash, a fault or a stop goes on behind them. It may be called as often as
// one likes, for it does nothing until 1 MiB of rows has come together. It returns ErrCheckpointSize, ErrStale or an error of the ledger or the
// store of files, which are for good in this run.
func (w RowWriter[Row]) Save(ctx context.Context, cursor any) error {
	data, err := json.Marshal(cursor)
	if err != nil {
		return fmt.Errorf("worker: save: %w", err)
	}
	return w.out.file.Save(ctx, data)
}

// Resume reads what an earlier run of the part has saved into cursor, and tells
// whether it did: then its rows are there, and writing goes on behind them. Call it
// before the first Write.
func (w RowWriter[Row]) Resume(cursor any) (bool, error) {
	data := w.out.file.Cursor()
	if data == nil {
		return false, nil
	}
	if err := json.Unmarshal(data, cursor); err != nil {
		return false, fmt.Errorf("worker: resume: %w", err)
	}
	return true, nil
}

// close ends the part.
func (w *rowOut[Row]) close(ctx context.Context, c *Call) error {
	result, err := w.file.Close(ctx, c.Kept())
	if err != nil {
		return err
	}
	return errors.Join(err, c.Result(result))
}

// cellReader reads a field as a cell. It looks at the same place at each call.
func cellReader(v reflect.Value) func(*table.Cell) {
	if v.Kind() == reflect.Pointer {
		return func(c *table.Cell) {
			if *c = (table.Cell{}); !v.IsNil() {
				cellReader(v.Elem())(c)
			}
		}
	}
	switch x := v.Addr().Interface().(type) {
	case *decimal.Decimal:
		return func(c *table.Cell) { decimalCell(c, *x) }
	case *time.Time:
		return func(c *table.Cell) {
			if *c = (table.Cell{}); !x.IsZero() {
				c.Kind, c.Time, c.Clock = table.Moment, *x, true
			}
		}
	case *string:
		return func(c *table.Cell) { textCell(c, *x) }
	}
	switch v.Kind() {
	case reflect.String:
		return func(c *table.Cell) { textCell(c, v.String()) }
	case reflect.Float64:
		return func(c *table.Cell) { *c = table.Cell{Kind: table.Float, Float: v.Float()} }
	case reflect.Bool:
		return func(c *table.Cell) {
			*c = table.Cell{Kind: table.Boolean}
			if v.Bool() {
				c.Int = 1
			}
		}
	}
	return func(c *table.Cell) { *c = table.Cell{Kind: table.Integer, Int: v.Int()} }
}

// dayOf reads times as days.
func dayOf(read func(*table.Cell)) func(*table.Cell) {
	return func(c *table.Cell) {
		if read(c); c.Kind == table.Moment {
			c.Time, c.Clock = c.Time.UTC().Truncate(24*time.Hour), false
		}
	}
}

// ofDays reports whether a column holds days: the first layout of its tag format shows no
// time of day.
func (f *Field) ofDays() bool {
	if len(f.Formats) == 0 {
		return false
	}
	midnight := time.Date(2006, 1, 2, 0, 0, 0, 0, time.UTC)
	later := midnight.Add(15*time.Hour + 4*time.Minute + 5*time.Second)
	return midnight.Format(f.Formats[0]) == later.Format(f.Formats[0])
}

func textCell(c *table.Cell, s string) { *c = table.Cell{Kind: table.Text, Text: s} }

// decimalCell keeps every digit, also those of 12.50.
func decimalCell(c *table.Cell, d decimal.Decimal) {
	const most = 18 // digits that any int64 has
	if e := d.Exponent(); e <= 0 && e >= -most && d.NumDigits() <= most {
		*c = table.Cell{Kind: table.Decimal, Int: d.CoefficientInt64(), Digits: int(-e)}
		return
	}
	*c = table.Cell{Kind: table.Digits, Text: d.String()}
}
