package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// These are the number, size and priority of the other tenant's files.
const (
	longFiles    = 5
	longFileRows = 400_000
	longPriority = 1000
)

// fileRow is a row of a file.
type fileRow struct {
	SKU string `row:"SKU" key:"true"`
}

// library is a feedService that also reads files.
type library struct {
	*feedService
	files blobs.Store
	kinds *jobs.Registry
}

// behindFiles measures the time of a tenant's file of 10 rows, from the creation of its task to the end
// of its rows. Long files of another tenant are older and have a higher priority.
func (l *lab) behindFiles(ctx context.Context) (seconds []float64, err error) {
	defer l.leave(len(l.cleanup))
	b, err := l.library(ctx)
	if err != nil {
		return nil, err
	}
	var last string
	for range longFiles {
		if last, err = b.accept(ctx, "big", longFileRows, longPriority); err != nil {
			return nil, err
		}
	}
	l.startReading(ctx, b)
	for range tinies {
		begun := time.Now()
		tiny, err := b.accept(ctx, "tiny", tinyRows, 0)
		if err == nil {
			err = b.await(ctx, "tiny", tiny)
		}
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, time.Since(begun).Seconds())
	}
	t, err := b.tasks.Get(ctx, "big", last)
	if err == nil && t.TotalIsFinal {
		err = fmt.Errorf("the long files were read before the tiny ones")
	}
	return seconds, err
}

func (l *lab) library(ctx context.Context) (*library, error) {
	h, err := l.feedService(ctx, nil)
	if err != nil {
		return nil, err
	}
	files, err := blobs.Open(l.TempDir())
	if err != nil {
		return nil, err
	}
	l.Cleanup(func() { _ = files.Close() })
	kind := worker.Define("k", func(context.Context, *worker.Job[fileRow]) error { return nil })
	return &library{h, files, jobs.RegistryOf(worker.NewRegistry(kind))}, nil
}

// startReading reads the files until the lab cleans up.
func (l *lab) startReading(ctx context.Context, b *library) {
	s := importers.NewSplitter(b.tasks, b.events, b.files, b.kinds, importers.SplitterOptions{
		Added: b.feeder.Wake, Poll: 10 * time.Millisecond, // nothing notifies it here
	})
	reading, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() { s.Run(reading, nil) })
	l.Cleanup(func() { cancel(); ended.Wait() })
}

// accept stores a file and its task, and returns the id of the task.
func (b *library) accept(ctx context.Context, tenant string, rows, priority int) (string, error) {
	in, out := io.Pipe()
	go func() {
		_, err := io.WriteString(out, "SKU\n")
		for i := 0; i < rows && err == nil; i++ {
			_, err = fmt.Fprintf(out, "%d\n", i)
		}
		_ = out.CloseWithError(err) // never fails
	}()
	info, err := b.files.Put(ctx, in, 1<<30)
	if err != nil {
		return "", err
	}
	head := "SKU\n0\n"
	inspection, err := importers.Inspect(strings.NewReader(head), int64(len(head)), b.kinds.Kinds()[0], importers.Options{Name: "a.csv"})
	if err != nil {
		return "", err
	}
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: tenant, Kind: "k", Type: tasks.Import, Status: tasks.Open, Priority: priority,
		Columns: inspection.Columns, Source: tasks.Source{
			FileID: info.ID, FileName: "a.csv", FileFormat: inspection.Format, HeaderRow: inspection.HeaderRow,
			FileEncoding: inspection.Encoding, FileDelimiter: inspection.Delimiter,
		},
	}
	return t.ID, b.tasks.Create(ctx, t, time.Hour)
}
