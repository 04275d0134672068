package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
)

// RowWriter is a writer of a part's rows. It is not safe for concurrent use.
type RowWriter[Row any] struct{ out *rowOut[Row] }

type rowOut[Row any] struct {
	file  jobs.PartFile
	row   *Row // the current row; the functions in `read` convert its fields
	read  []func(*table.Cell)
	cells []table.Cell
}

func newRowWriter[Row any](ctx context.Context, c *Call, s *rowschema.Schema, spec table.Spec) (*rowOut[Row], error) {
	all := columnsOf(s)
	out := &rowOut[Row]{row: new(Row)}
	var columns []table.Column
	v := reflect.ValueOf(out.row).Elem()
	for _, i := range spec.Pick(all) {
		columns = append(columns, all[i])
		read := cellReader(s.Fields[i].Value(v))
		if s.Fields[i].OfDays() {
			read = dayOf(read)
		}
		out.read = append(out.read, read)
	}
	out.cells = make([]table.Cell, len(columns))
	file, err := c.state().Parts.Open(ctx, c.state(), spec, columns)
	out.file = file
	return out, err
}

// Write appends a row. After an error, every later call returns this error.
func (w RowWriter[Row]) Write(row Row) error {
	*w.out.row = row
	for i, read := range w.out.read {
		read(&w.out.cells[i])
	}
	return w.out.file.Add(w.out.cells)
}

// Rows returns the number of rows written to the part so far.
func (w RowWriter[Row]) Rows() int64 { return w.out.file.Rows() }

// Save stores a cursor as JSON for a later run, if at least 1 MiB of rows is new. Call it often. After an
// error, every later call returns this error.
func (w RowWriter[Row]) Save(ctx context.Context, cursor any) error {
	data, err := json.Marshal(cursor)
	if err != nil {
		return fmt.Errorf("worker: save: %w", err)
	}
	return w.out.file.Save(ctx, data)
}

// Resume decodes the last saved cursor, or returns false. Call it before Save.
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

// close stores the rest of the part, and sets the result of its job.
func (w *rowOut[Row]) close(ctx context.Context, c *Call) error {
	result, err := w.file.Close(ctx, c.state().Kept())
	if err != nil {
		return err
	}
	return errors.Join(err, c.Result(result))
}

// cellReader returns a function that converts the current value of a struct field to a cell.
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

// dayOf wraps a cell reader, and truncates its times to days in UTC.
func dayOf(read func(*table.Cell)) func(*table.Cell) {
	return func(c *table.Cell) {
		if read(c); c.Kind == table.Moment {
			c.Time, c.Clock = c.Time.UTC().Truncate(24*time.Hour), false
		}
	}
}

func textCell(c *table.Cell, s string) { *c = table.Cell{Kind: table.Text, Text: s} }

// decimalCell sets `c` to `d` with every digit, including the last zero of 12.50.
func decimalCell(c *table.Cell, d decimal.Decimal) {
	const most = 18 // digits that fit into an int64
	if e := d.Exponent(); e <= 0 && e >= -most && d.NumDigits() <= most {
		*c = table.Cell{Kind: table.Decimal, Int: d.CoefficientInt64(), Digits: int(-e)}
		return
	}
	*c = table.Cell{Kind: table.Digits, Text: d.String()}
}
