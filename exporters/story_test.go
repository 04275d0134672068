package exporters_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type numbersParams struct {
	Rows  int `row:"Rows" validate:"required"`
	Parts int `row:"Parts" validate:"required"`
}

type number struct {
	N    int64           `row:"N"`
	Name string          `row:"Name"`
	Half decimal.Decimal `row:"Half"`
	Even bool            `row:"Even"`
	Day  time.Time       `row:"Day"`
	None *int64          `row:"None"`
}

type span struct{ From, To int }

// numbers returns an export of numbers. It calls the given function before each row.
func numbers(before func(part worker.PartJob[numbersParams], n int) error) worker.Definer {
	return worker.DefineExport("numbers",
		func(_ context.Context, p worker.Plan[numbersParams]) ([]worker.Part, error) {
			var out []worker.Part
			for i := range p.Params.Parts {
				out = append(out, worker.Part{Args: span{
					i * p.Params.Rows / p.Params.Parts, (i + 1) * p.Params.Rows / p.Params.Parts,
				}})
			}
			return out, nil
		},
		func(ctx context.Context, part worker.PartJob[numbersParams], w worker.RowWriter[number]) error {
			var s span
			if err := part.Args(&s); err != nil {
				return err
			}
			at := s.From
			if _, err := w.Resume(&at); err != nil {
				return err
			}
			for n := at; n < s.To; n++ {
				if err := before(part, n); err != nil {
					return err
				}
				if err := w.Write(numbered(n)); err != nil {
					return err
				}
				if err := w.Save(ctx, n+1); err != nil {
					return err
				}
			}
			return nil
		},
		worker.MaxRetries(2), worker.RetryIn(func(int) time.Duration { return 0 }))
}

func numbered(n int) number {
	return number{
		N: int64(n), Name: fmt.Sprintf("=row %d, «%d»", n, n), Half: decimal.New(int64(n)*50, -2), Even: n%2 == 0,
		Day: time.Date(2026, 1, 1, n%24, 0, 0, 0, time.UTC),
	}
}

func never(worker.PartJob[numbersParams], int) error { return nil }

var errBoom = errors.New("boom")

// TestTheSameBytes: the file is the same whether one handler makes the parts or eight, and whether
// or not attempts fail.
func TestTheSameBytes(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		r := newRig(t, url)
		rows := testenv.Size[int64](2000, 4000)
		params := map[string]string{"Rows": fmt.Sprint(rows), "Parts": "7"}
		requests := []jobs.ExportRequest{
			as(table.CSV, params), as(table.XLSX, params), as(table.JSONLines, params),
			{Params: params, Spec: table.Spec{Format: table.CSV, Compression: table.Gzip}},
			{Params: params, Spec: table.Spec{Format: table.TSV, Compression: table.Zip, Columns: []string{"Half", "N"}}},
		}
		run := func(handlers int, before func(worker.PartJob[numbersParams], int) error) (out []string) {
			var asked []*tasks.Task
			for _, req := range requests {
				asked = append(asked, r.ask("numbers", "Numbers", req))
			}
			n := r.start(handlers, numbers(before))
			defer n.Stop()
			for _, task := range asked {
				done := r.await(task)
				if done.Status != tasks.Finished || done.Finish != 7 || done.Total != 7 || done.ResultRows != rows ||
					done.Progress.Done != rows {
					t.Fatalf("%s: %+v", done.Status, done)
				}
				out = append(out, r.content(done))
				r.cleared(done)
			}
			return out
		}
		r.parts.SaveEach(8 << 10)
		one := run(1, never)
		var again atomic.Int64
		eight := run(8, func(part worker.PartJob[numbersParams], n int) error {
			if part.Attempt == 1 && n%571 == 570 {
				return errBoom
			}
			if part.Attempt == 2 {
				again.Add(1)
			}
			return nil
		})
		if n := again.Load(); n == 0 || n > rows*int64(len(requests))/2 {
			t.Errorf("%d rows were written again: what was saved is to be kept", n)
		}
		for i, req := range requests {
			if one[i] != eight[i] {
				t.Errorf("%s %s differs", req.Format, req.Compression)
			}
		}
		lines := strings.Split(one[0], "\n")
		if lines[0] != "N,Name,Half,Even,Day,None" || len(lines) != int(rows)+2 ||
			lines[2] != `1,"'=row 1, «1»",0.50,false,2026-01-01 01:00:00,` {
			t.Errorf("%d lines, first %q and %q", len(lines), lines[0], lines[2])
		}
	})
}

// TestAFailedPart: the other parts stay. When the part is resubmitted, the file is complete.
func TestAFailedPart(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		r := newRig(t, url)
		broken, runs := true, 0
		n := r.start(1, numbers(func(_ worker.PartJob[numbersParams], n int) error {
			if n == 15 && broken {
				return worker.Fail("NO_PRICE", "Row %d has no price", n)
			}
			runs++
			return nil
		}))
		defer n.Stop()
		task := r.ask("numbers", "", as(table.CSV, map[string]string{"Rows": "30", "Parts": "3"}))
		done := r.await(task)
		if done.Status != tasks.FinishedWithFailures || done.ResultID != "" || done.Failed != 1 {
			t.Fatalf("%s, failed %d, file %q", done.Status, done.Failed, done.ResultID)
		}
		var partial strings.Builder
		kind := jobs.KindOf(numbers(never))
		if rows, err := r.parts.Write(t.Context(), &partial, done, kind, r.Events); err != nil || rows != 20 {
			t.Errorf("the partial file has %d rows: %v", rows, err)
		}
		broken, runs = false, 0
		_, err := review.New(r.Events, jobs.RegistryOf(worker.NewRegistry(numbers(never))), review.Options{}).
			Bulk(t.Context(), done, review.BulkAction{Act: review.Resubmit, By: "ops"})
		if err != nil {
			t.Fatal(err)
		}
		n.Feeder.Wake()
		done = r.await(task)
		if done.Status != tasks.Finished || done.ResultRows != 30 || runs != 10 {
			t.Errorf("%s, %d rows, of which %d were written again", done.Status, done.ResultRows, runs)
		}
		if lines := strings.Count(r.content(done), "\n"); lines != 31 {
			t.Errorf("%d lines", lines)
		}
	})
}

// fullStore is a store that has no room for its first `refuse` files.
type fullStore struct {
	blobs.Store
	refuse atomic.Int64
}

func (s *fullStore) Put(ctx context.Context, r io.Reader, limit int64) (blobs.Info, error) {
	if s.refuse.Add(-1) >= 0 {
		return blobs.Info{}, fmt.Errorf("%w: %w", blobs.ErrStorage, syscall.ENOSPC)
	}
	return s.Store.Put(ctx, r, limit)
}

// TestAFullDisk: the task names the cause and has no file, and the export continues when there is
// room.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	r := newRig(t, ledgers.SQLite(t))
	full := &fullStore{Store: r.Files}
	r.Files, r.parts = full, exporters.NewParts(r.Tasks, full)
	full.refuse.Store(1) // the first part
	n := r.start(1, numbers(never))
	task := r.ask("numbers", "", as(table.CSV, map[string]string{"Rows": "10", "Parts": "1"}))
	done := r.await(task)
	if done.ResultRows != 10 || strings.Count(r.content(done), "\n") != 11 {
		t.Errorf("%+v", done.Result)
	}

	n.Stop()
	full.refuse.Store(1 << 40)
	again := r.askMerged()
	n = r.start(1, numbers(never))
	defer n.Stop()
	fixture.Eventually(r.t, "it says why", func() bool { return r.now(again).Progress.Text != "" })
	if now := r.now(again); now.Status.Done() || now.ResultID != "" {
		t.Errorf("%s with the file %q", now.Status, now.ResultID)
	}
	full.refuse.Store(0)
	if done := r.await(again); done.Status != tasks.Finished || done.Progress.Text != "" {
		t.Errorf("%s: %q", done.Status, done.Progress.Text)
	}
}

// TestACanceledExport: the export ends, even while its file cannot be made.
func TestACanceledExport(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		r := newRig(t, url)
		task := r.askMerged()
		audit, err := recount.New(r.Events).Audit(t.Context(), task.Num)
		if err != nil || len(audit.Differences()) > 0 {
			t.Errorf("an export that waits for its file: %v, %v", audit.Differences(), err)
		}
		if err := r.Tasks.Cancel(t.Context(), "acme", task.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Events.Cancel(t.Context(), events.Range{Num: task.Num, Last: 1}, true); err != nil {
			t.Fatal(err)
		}
		if now := r.now(task); now.Status != tasks.Canceled {
			t.Errorf("%s", now.Status)
		}
		err = r.Events.Merge(t.Context(), events.Merged{Num: task.Num, FileID: "x"})
		if !errors.Is(err, events.ErrClaimLost) {
			t.Errorf("a file of it: %v, want ErrClaimLost", err)
		}
	})
}

// cutStore is a store that keeps only the first 20 bytes of each file.
type cutStore struct{ blobs.Store }

func (s *cutStore) Put(ctx context.Context, r io.Reader, limit int64) (blobs.Info, error) {
	info, err := s.Store.Put(ctx, io.LimitReader(r, 20), limit)
	_, end := io.Copy(io.Discard, r) // otherwise the writer blocks
	return info, errors.Join(err, end)
}

// TestMerge_PartIsDamaged_EndsTheExport: the merge is retried a few times, not for ever.
func TestMerge_PartIsDamaged_EndsTheExport(t *testing.T) {
	t.Parallel()
	r := newRig(t, ledgers.SQLite(t))
	r.parts = exporters.NewParts(r.Tasks, &cutStore{r.Files})
	n := r.start(1, numbers(never))
	defer n.Stop()
	done := r.await(r.ask("numbers", "", as(table.CSV, map[string]string{"Rows": "10", "Parts": "1"})))
	if done.Status != tasks.Failed || done.Problem == nil || done.Problem.Code != exporters.CodePartsGone {
		t.Errorf("%s, %+v", done.Status, done.Problem)
	}
}

// flipStore is a store that changes one byte of each file.
type flipStore struct{ blobs.Store }

func (s *flipStore) Put(ctx context.Context, r io.Reader, limit int64) (blobs.Info, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return blobs.Info{}, err
	}
	sum := sha256.Sum256(b)
	b[len(b)/2] ^= 1
	info, err := s.Store.Put(ctx, bytes.NewReader(b), limit)
	info.SHA256 = hex.EncodeToString(sum[:])
	return info, err
}

// TestMerge_ByteOfAPartIsFlipped_EndsTheExport tests each format. The merge does not unpack the
// rows of a compressed format.
func TestMerge_ByteOfAPartIsFlipped_EndsTheExport(t *testing.T) {
	t.Parallel()
	r := newRig(t, ledgers.SQLite(t))
	r.parts = exporters.NewParts(r.Tasks, &flipStore{r.Files})
	n := r.start(1, numbers(never))
	defer n.Stop()
	for _, spec := range []table.Spec{
		{Format: table.CSV}, {Format: table.XLSX}, {Format: table.CSV, Compression: table.Gzip}, {Format: table.JSONLines, Compression: table.Zip},
	} {
		req := jobs.ExportRequest{Params: map[string]string{"Rows": "10", "Parts": "1"}, Spec: spec}
		done := r.await(r.ask("numbers", "", req))
		if done.Status != tasks.Failed || done.Problem == nil || done.Problem.Code != exporters.CodePartsGone {
			t.Errorf("%+v: %s, %+v", spec, done.Status, done.Problem)
		}
	}
}

// TestPart_HandlerKeepsAResult_IsInTheResultOfTheJob finds the result beside the counts of the
// part.
func TestPart_HandlerKeepsAResult_IsInTheResultOfTheJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, ledgers.SQLite(t))
	n := r.start(1, numbers(func(part worker.PartJob[numbersParams], _ int) error {
		return part.Result(map[string]int{"checked": 7})
	}))
	defer n.Stop()
	done := r.await(r.ask("numbers", "", as(table.CSV, map[string]string{"Rows": "10", "Parts": "1"})))
	e, err := r.Events.Get(t.Context(), events.NewID(done.Num, 1))
	if err != nil || e.Result == nil || !strings.Contains(*e.Result, `"rows":10`) ||
		!strings.Contains(*e.Result, `"result":{"checked":7}`) || done.ResultRows != 10 {
		t.Errorf("%s: %+v, %v", done.Status, e, err)
	}
}
