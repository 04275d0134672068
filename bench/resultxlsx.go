package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rollcall-dev/rollcall/bench/resultrows"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// benchResultXLSX measures writing the result workbook of a large task in Postgres. The peer is
// excelize.StreamWriter with the same cells in memory. Both run alternately, each in its own process.
func benchResultXLSX(ctx context.Context, l *lab, runs int) ([]figure, error) {
	url := testenv.Postgres(l)
	id, err := fillTask(ctx, url, largeRows)
	if err != nil {
		return nil, err
	}
	var ours, theirs writings
	for range runs {
		if err := l.writer(ctx, &ours, "--database", url, "--task", id); err != nil {
			return nil, err
		}
		if err := l.writer(ctx, &theirs, "--rows", strconv.Itoa(largeRows)); err != nil {
			return nil, err
		}
	}
	const name = "excelize.StreamWriter alone"
	return []figure{
		figureOf("result-xlsx, 500,000 rows from Postgres", "s", ours.took).below(name, median(theirs.took)),
		figureOf("result-xlsx, processor time of the writer", "s", ours.cpu).below(name, median(theirs.cpu)),
		figureOf("result-xlsx, peak RSS", "MB", ours.peak).below(name, median(theirs.peak)),
	}, nil
}

// writings holds the duration and the processor time of several workbooks in seconds, and the peak memory
// in MB.
type writings struct{ took, cpu, peak []float64 }

// writer writes one workbook.
func (l *lab) writer(ctx context.Context, w *writings, args ...string) error {
	out := filepath.Join(l.dir, "result.xlsx")
	defer os.Remove(out)
	cmd := exec.CommandContext(ctx, l.program("writer"), append(args, "--out", out)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("writer: %w", err)
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage) // Linux has it
	w.took, w.peak = append(w.took, seconds), append(w.peak, float64(usage.Maxrss)/1024)
	w.cpu = append(w.cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	return err
}

// fillTask adds a task with the given number of rows to an empty ledger.
func fillTask(ctx context.Context, url string, rows int) (id string, err error) {
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return "", err
	}
	defer db.Close()
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: "default", Kind: "bench.result", Type: tasks.Import, Status: tasks.Splitting,
		Source: tasks.Source{FileFormat: "xlsx", FileSheet: "Sheet1"},
	}
	fields := resultrows.Kind().Schema.Fields
	for _, f := range fields {
		t.Columns = append(t.Columns, tasks.Column{Header: f.Name, Field: f.Name})
	}
	claim, err := tasks.New(db, tasks.Options{}).CreateHeld(ctx, t, tasks.Terms{Keep: time.Hour}, time.Minute)
	if err != nil {
		return "", err
	}
	store := events.New(db, events.Options{})
	for from := 0; from < rows; from += 5000 {
		c := events.Chunk{Num: t.Num, Claim: int64(claim), TTL: time.Minute, Final: from+5000 >= rows}
		for i := from; i < min(from+5000, rows); i++ {
			c.Rows = append(c.Rows, draft(fields, i))
		}
		if _, err := store.Append(ctx, c); err != nil {
			return "", err
		}
	}
	return t.ID, nil
}

// draft returns row i in the form of the splitter.
func draft(fields []rowschema.Field, i int) events.Draft {
	params, cells := []byte{'{'}, resultrows.Cells(i)
	for j, f := range fields {
		params = append(strconv.AppendQuote(params, f.Name), ':')
		params = append(strconv.AppendQuote(params, cells[j]), ',')
	}
	params[len(params)-1] = '}'
	d := events.Draft{Row: i + 2, Key: cells[0], Params: params}
	if resultrows.Bad(i) {
		d.Failure = &events.Failure{
			Code: "INVALID_NUMBER", Column: "Price", Message: "Price is not a number", Hint: "Enter a price",
		}
	}
	return d
}
