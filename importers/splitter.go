package importers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CodeFileGone means that the stored upload no longer exists.
const CodeFileGone = "FILE_GONE"

// Topic is the topic for queue.Client.Notify when a file waits for a splitter.
const Topic = "split"

// SplitterOptions holds the settings of a Splitter. The zero value works.
type SplitterOptions struct {
	// Chunk is the maximum number of rows per commit. Default 5,000. The first chunks of a file
	// are smaller, so that its rows run soon.
	Chunk int

	// Claim is how long a splitter keeps its claim on a task without renewing it. Default 15s.
	Claim time.Duration

	// Files is the maximum number of files that this process reads at the same time, with one exception.
	// Default 4. While files of other tenants wait or are read, a tenant has at most its share of this
	// number. The exception: the first file of a tenant starts within a second, even if the process
	// already reads this number. The process reads at most twice this number. Each file takes memory:
	// Limits.Memory and two chunks of 4 MB. If Options.Duplicates is not KeepAll, it also takes about 60
	// bytes per key. Until a garbage collection, a file takes up to twice as much.
	Files int

	// Poll is the longest pause between two searches for files. After an error in a file, the process
	// also waits for this time before it reads another file in its place. Default 1s.
	Poll time.Duration

	// Limits bounds the contents of a file.
	Limits tabular.Limits

	// Added is called after each commit, so that the caller can notify the feeder. Several
	// goroutines may call it at once. Default: nothing.
	Added func()

	// Split is called after each attempt to split a file. Several goroutines may call it at once.
	// Default: nothing.
	Split func(Split)

	// Log receives a record for each fault. Default: none.
	Log *slog.Logger
}

// Split is an attempt to split the file of a task.
type Split struct {
	TaskID string
	Began  time.Time // by this machine's clock
	Took   time.Duration
	Err    error // also nil for an invalid file, which is a problem of the task
}

func (o SplitterOptions) withDefaults() SplitterOptions {
	o.Chunk = cmp.Or(o.Chunk, 5_000)
	o.Claim = cmp.Or(o.Claim, 15*time.Second)
	o.Files = cmp.Or(o.Files, 4)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Split == nil {
		o.Split = func(Split) {}
	}
	if o.Added == nil {
		o.Added = func() {}
	}
	return o
}

// firstChunk is the number of rows of the first chunk.
const firstChunk = 250

// Splitter is a reader of uploaded files that adds their rows to the ledger. It commits each chunk
// of rows together with the position after it. If a process dies, another splitter can therefore
// continue its work.
type Splitter struct {
	tasks  *tasks.Store
	events *events.Store
	files  blobs.Store
	kinds  *jobs.Registry
	opt    SplitterOptions
	picker *tasks.Picker
	wake   periodic.Wake // signaled when a permit is free
}

// NewSplitter returns a splitter for files of the kinds in a registry.
func NewSplitter(
	ts *tasks.Store, es *events.Store, files blobs.Store, kinds *jobs.Registry, opt SplitterOptions,
) *Splitter {
	opt = opt.withDefaults()
	return &Splitter{
		ts, es, files, kinds, opt, ts.Picker(tasks.Reading, kinds.Names(), opt.Files), periodic.NewWake(),
	}
}

// Split adds the rows of a task's file that are not in the ledger yet. If the file is damaged, invalid or
// deleted, the task gets a problem and Split returns nil. Split returns an error for an unknown kind, an
// ended `ctx`, a fault of the service, or a lost claim. It also returns a panic in the rules of a kind as
// an error.
func (s *Splitter) Split(ctx context.Context, t *tasks.Task, claim tasks.Claim) (err error) {
	defer func() {
		if p := recover(); p != nil { // the rules of a kind are the user's code
			err = fmt.Errorf("importers: split %s: panic: %v\n%s", t.ID, p, debug.Stack())
		}
	}()
	kind, ok := s.kinds.Kind(t.Kind)
	if !ok || kind.Schema == nil {
		return fmt.Errorf("importers: split %s: kind %q has no rows", t.ID, t.Kind)
	}
	defer s.keep(ctx, t.Num, claim)()
	c := &chunker{splitter: s, unordered: kind.Unordered, num: t.Num, tenant: t.Tenant, claim: int64(claim), known: t.Total, size: min(firstChunk, s.opt.Chunk), last: time.Now()}
	defer func() { _ = c.wait() }() // an error is left out only if Split returns another error
	err = s.read(ctx, t, kind, c)
	p := problemOf(err)
	if p == nil && err != nil {
		return fmt.Errorf("importers: split %s: %w", t.ID, err)
	}
	return c.finish(ctx, p)
}

// problemOf converts an error of reading a file to the problem of its task. It returns nil if err is
// not a fault of the file.
func problemOf(err error) *tasks.Problem {
	var p *tabular.Problem
	switch {
	case errors.As(err, &p):
		return &tasks.Problem{Code: p.Code, Detail: p.Detail, Row: p.Row, Column: p.Column}
	case errors.Is(err, blobs.ErrNotFound):
		return &tasks.Problem{
			Code: CodeFileGone, Detail: "The uploaded file no longer exists. Upload it again.",
		}
	}
	return nil
}

// keep renews a claim regularly until the caller calls the returned function.
func (s *Splitter) keep(ctx context.Context, num int64, claim tasks.Claim) (end func()) {
	return periodic.Beside(ctx, s.opt.Claim/3, func(ctx context.Context) {
		if err := s.tasks.RenewSplit(ctx, num, claim, s.opt.Claim); err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("renewing the claim of a file failed", "err", err)
		}
	})
}

// read adds the rows of the file that are not in the ledger yet to the chunker `c`.
func (s *Splitter) read(ctx context.Context, t *tasks.Task, kind jobs.Kind, c *chunker) error {
	f, err := s.files.Get(ctx, t.FileID)
	if err != nil {
		return err
	}
	defer f.Close()
	file, err := recognizeTask(f, f.Size, t, s.opt.Limits)
	if err != nil {
		return err
	}
	defer file.Close()
	rows := reader{file, kind, t, s.opt.Limits}
	if t.Total == 0 {
		if err := rows.refuseLong(ctx); err != nil {
			return err
		}
	}
	c.warnings, err = rows.each(ctx, func(d events.Draft) error { return c.add(ctx, d) })
	return err
}
