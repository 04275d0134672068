package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// splitRow is the row of readRow as a struct, with a rule for most columns.
type splitRow struct {
	SKU      string          `row:"SKU" key:"true" validate:"required,max=64"`
	Name     string          `row:"Name" validate:"required"`
	Price    decimal.Decimal `row:"Price" validate:"required,gt=0"`
	Stock    *int64          `row:"Stock" validate:"omitempty,gte=0"`
	Brand    string          `row:"Brand"`
	Start    time.Time       `row:"Start"`
	Note     string          `row:"Note"`
	Active   bool            `row:"Active"`
	ID       int64           `row:"Id" validate:"gte=0"`
	Currency string          `row:"Currency" validate:"len=3"`
}

// benchSplit measures how fast a stored file becomes validated events that are committed on Postgres.
// Nothing else runs.
func benchSplit(ctx context.Context, l *lab, runs int) ([]figure, error) {
	text, err := l.datedTable(readRows)
	if err != nil {
		return nil, err
	}
	book, err := l.workbookTable(readRows)
	if err != nil {
		return nil, err
	}
	var out []figure
	for _, f := range []struct{ name, path string }{{"csv", text}, {"xlsx", book}} {
		var rates []float64
		for range runs {
			rate, err := l.splitOnce(ctx, f.path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			rates = append(rates, rate)
		}
		out = append(out, figureOf("split, 500,000 x 10, from "+f.name, "rows/s", rates))
	}
	return out, nil
}

// datedTable writes the table as a CSV file with dates in the usual form, and returns its path.
func (l *lab) datedTable(rows int) (string, error) {
	return l.written("dated.csv", func(w io.Writer) error {
		fmt.Fprintln(w, strings.Join(readHeads, ","))
		for i := range rows {
			row := readRow(i)
			row[5] = time.Date(2026, 1, 1+i%1000, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
			fmt.Fprintln(w, strings.Join(row, ","))
		}
		return nil
	})
}

// splitOnce splits a file into a new ledger, and returns the rows per second.
func (l *lab) splitOnce(ctx context.Context, path string) (float64, error) {
	defer l.leave(len(l.cleanup))
	db, err := ledger.Open(ctx, testenv.Postgres(l), ledger.Options{})
	if err != nil {
		return 0, err
	}
	l.Cleanup(func() { _ = db.Close() }) // everything is checked by then
	files, err := blobs.Open(l.TempDir())
	if err != nil {
		return 0, err
	}
	l.Cleanup(func() { _ = files.Close() })
	kinds := jobs.RegistryOf(worker.NewRegistry(worker.Define("split.import",
		func(context.Context, *worker.Job[splitRow]) error { return nil })))
	ts := tasks.New(db, tasks.Options{})
	if err := acceptFile(ctx, ts, files, kinds, path); err != nil {
		return 0, err
	}
	s := importers.NewSplitter(ts, events.New(db, events.Options{}), files, kinds, importers.SplitterOptions{})
	begun := time.Now()
	t, claim, err := ts.Picker(tasks.Reading, kinds.Names(), 1).Next(ctx, time.Minute)
	if err != nil {
		return 0, err
	}
	if err := s.Split(ctx, t, claim); err != nil {
		return 0, err
	}
	took := time.Since(begun)
	t, err = ts.Get(ctx, t.Tenant, t.ID)
	if err == nil && (t.Enqueue != readRows || !t.TotalIsFinal) {
		err = fmt.Errorf("%d of %d rows wait, %d are invalid", t.Enqueue, t.Total, t.Failed)
	}
	return readRows / took.Seconds(), err
}

// acceptFile stores a file and creates its task, as the API does with an upload.
func acceptFile(
	ctx context.Context, ts *tasks.Store, files blobs.Store, kinds *jobs.Registry, path string,
) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := files.Put(ctx, f, 1<<30)
	if err != nil {
		return err
	}
	kind := kinds.Kinds()[0]
	in, err := importers.Inspect(f, info.Size, kind, importers.Options{Name: path})
	if err != nil {
		return err
	}
	return ts.Create(ctx, &tasks.Task{
		ID: tasks.NewID(), Tenant: "bench", Kind: kind.Name, Type: tasks.Import, Status: tasks.Open,
		Columns: in.Columns, Source: tasks.Source{
			FileID: info.ID, FileName: path, FileFormat: in.Format, FileSheet: in.Sheet,
			HeaderRow: in.HeaderRow, FileEncoding: in.Encoding, FileDelimiter: in.Delimiter,
		},
	}, time.Hour)
}
