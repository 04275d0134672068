package results

import (
	"encoding/json"
	"io"
	"strconv"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// BenchmarkResultXLSX writes 20,000 rows of texts, numbers and dates as a result workbook. Every
// hundredth row has a fault.
func BenchmarkResultXLSX(b *testing.B) {
	const rows = 20_000
	columns := []tasks.Column{
		{Header: "SKU", Field: "SKU"},
		{Header: "Name", Field: "Name"},
		{Header: "Price", Field: "Price"},
		{Header: "Stock", Field: "Stock"},
		{Header: "Start", Field: "Start"},
		{Header: "Note", Field: "Note"},
	}
	kind := jobs.Kind{Schema: &rowschema.Schema{Fields: []rowschema.Field{
		{Name: "SKU", Type: "text"},
		{Name: "Name", Type: "text"},
		{Name: "Price", Type: "number"},
		{Name: "Stock", Type: "integer"},
		{Name: "Start", Type: "date"},
		{Name: "Note", Type: "text"},
	}}}
	task := &tasks.Task{ID: tasks.NewID(), Columns: columns, Source: tasks.Source{FileFormat: tabular.FormatXLSX}}
	list := make([]events.Event, rows)
	for i := range list {
		n := strconv.Itoa(i)
		params, err := json.Marshal(map[string]string{
			"SKU": "SKU-" + n, "Name": "Product number " + n, "Price": n + ".5", "Stock": n,
			"Start": "2026-01-1" + strconv.Itoa(i%10), "Note": "a remark about <" + n + ">",
		})
		if err != nil {
			b.Fatal(err)
		}
		list[i] = events.Event{ID: events.NewID(1, int64(i+1)), Row: i + 2, Status: events.Finish, Params: string(params)}
		if i%100 == 99 {
			code, column, message := "OUT_OF_RANGE", "Price", "The price is too high."
			list[i].Status, list[i].Code, list[i].Col, list[i].Message = events.Failed, &code, &column, &message
		}
	}
	for b.Loop() {
		r := Result{Task: task, Kind: kind, Rows: func(yield func(*events.Event, error) bool) {
			for i := range list {
				if !yield(&list[i], nil) {
					return
				}
			}
		}}
		if err := r.Write(io.Discard, tabular.FormatXLSX); err != nil {
			b.Fatal(err)
		}
	}
}
