// Command writer writes one result workbook in its own process, and prints the duration in seconds.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/importers/tabular"

	"github.com/alecthomas/kong"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/bench/resultrows"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

type options struct {
	Database string `help:"Postgres that holds the task."`
	Task     string `help:"Its id."`
	Out      string `required:"" help:"File to write."`
	Rows     int    `help:"Write so many rows with excelize.StreamWriter alone instead."`
}

func main() {
	var opt options
	kong.Parse(&opt)
	if err := run(context.Background(), opt); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, opt options) (err error) {
	f, err := os.Create(opt.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	begun := time.Now()
	out := bufio.NewWriterSize(f, 64<<10)
	if opt.Rows > 0 {
		err = peer(out, opt.Rows)
	} else {
		err = ours(ctx, out, opt)
	}
	if err = errors.Join(err, out.Flush()); err == nil {
		fmt.Println(time.Since(begun).Seconds())
	}
	return err
}

// ours reads the rows of a task from Postgres and writes them with Rollcall.
func ours(ctx context.Context, out *bufio.Writer, opt options) error {
	db, err := ledger.Open(ctx, opt.Database, ledger.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	t, err := tasks.New(db, tasks.Options{}).Get(ctx, "default", opt.Task)
	if err != nil {
		return err
	}
	rows := events.New(db, events.Options{}).Each(ctx, t.Num, events.Filter{UpTo: t.Total})
	return results.Result{Task: t, Kind: resultrows.Kind(), Rows: rows}.Write(out, tabular.FormatXLSX)
}

// peer writes the same cells from memory with excelize, without styles and notes.
func peer(out *bufio.Writer, rows int) (err error) {
	f := excelize.NewFile()
	defer func() { err = errors.Join(err, f.Close()) }()
	w, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	for i := range rows {
		if err := w.SetRow("A"+strconv.Itoa(i+1), cells(i)); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Write(out)
}

func cells(i int) []any {
	out := make([]any, 0, resultrows.Columns+7)
	for column, text := range resultrows.Cells(i) {
		var v any = text
		if n, err := strconv.ParseFloat(text, 64); err == nil && resultrows.Number(column) {
			v = n
		}
		out = append(out, v)
	}
	id := "01a1fcd5-9622-7c11-85aa-a59e3cd836ba." + strconv.Itoa(i+1)
	if resultrows.Bad(i) {
		return append(out, i+2, "failed", "INVALID_NUMBER", "Price", "Price is not a number", "Enter a price", id)
	}
	return append(out, i+2, "enqueue", nil, nil, nil, nil, id)
}
