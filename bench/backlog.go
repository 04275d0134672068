package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the numbers of waiting tasks in the bench backlog, with one job each, and the sizes of the
// measurements.
const (
	noneWaiting = 1_000 // the baseline
	fewWaiting  = 10_000
	manyWaiting = 1_000_000
	idleFor     = 30 * time.Second // the time over which processor time is measured
	drainedJobs = 5_000            // of the waiting jobs
)

// benchBacklog measures the cost of waiting tasks. While tasks of a paused tenant wait, it measures the
// processor time and memory of idle processes, and the duration of imports of another tenant. It also
// measures how fast jobs run while many more wait.
func benchBacklog(ctx context.Context, l *lab, runs int) ([]figure, error) {
	small, err := l.sample(tinyRows)
	if err != nil {
		return nil, err
	}
	var cores, seconds, few, many []float64
	memory := map[int][]float64{}
	for range runs {
		for _, n := range []int{noneWaiting, manyWaiting} {
			c, s, m, err := l.beside(ctx, small, n)
			if err != nil {
				return nil, err
			}
			memory[n] = append(memory[n], m)
			if n == manyWaiting {
				cores, seconds = append(cores, c), append(seconds, s...)
			}
		}
		for n, to := range map[int]*[]float64{fewWaiting: &few, manyWaiting: &many} {
			rate, err := l.drain(ctx, n)
			if err != nil {
				return nil, err
			}
			*to = append(*to, rate)
		}
	}
	return []figure{
		figureOf("backlog, 10^6 tasks of a paused tenant: idle processes", "cores", cores),
		figureOf("backlog, 10 rows of another tenant beside them", "s", seconds),
		figureOf("backlog, largest process beside 10^6 tasks", "MB", memory[manyWaiting]).
			below("ours, beside 10^3", median(memory[noneWaiting])),
		figureOf("backlog, jobs while 10^6 wait", "jobs/s", many).above("ours, while 10^4 wait", median(few)),
	}, nil
}

// beside returns the cores that an idle API, an idle worker and Postgres use while n tasks of a paused
// tenant wait. It also returns the seconds of small imports of another tenant. The result `memory` is the
// memory of the API or of the worker, whichever is greater, before these imports.
func (l *lab) beside(ctx context.Context, path string, n int) (cores float64, seconds []float64, memory float64, err error) {
	defer l.leave(len(l.cleanup))
	url := testenv.Postgres(l)
	w, err := l.waiting(ctx, url, "paused", "products.import", n)
	if err != nil {
		return 0, nil, 0, err
	}
	if err := w.tasks.PauseTenant(ctx, "paused", true); err != nil {
		return 0, nil, 0, err
	}
	s := l.sharing(url, 1, 0)
	time.Sleep(idleFor) // the first polls, and the work of Postgres after the copies
	before, err := w.used(ctx, s)
	if err != nil {
		return 0, nil, 0, err
	}
	time.Sleep(idleFor)
	after, err := w.used(ctx, s)
	if err != nil {
		return 0, nil, 0, err
	}
	for _, p := range s.procs {
		m, err := nowRSS(p.PID())
		if err != nil {
			return 0, nil, 0, err
		}
		memory = max(memory, m)
	}
	for range tinies {
		begun := time.Now()
		t, err := upload(s.url, path)
		if err == nil {
			err = finish(s.url, t.ID, 5*time.Millisecond, func(time.Duration) {})
		}
		if err != nil {
			return 0, nil, 0, err
		}
		seconds = append(seconds, time.Since(begun).Seconds())
	}
	return (after - before).Seconds() / idleFor.Seconds(), seconds, memory, nil
}

// drain returns how many jobs run in a second while n jobs wait.
func (l *lab) drain(ctx context.Context, n int) (float64, error) {
	defer l.leave(len(l.cleanup))
	url := testenv.Postgres(l)
	if _, err := l.waiting(ctx, url, "bench", feedKind, n); err != nil {
		return 0, err
	}
	begun := time.Now()
	h, err := l.feedServiceOn(ctx, url, nil)
	if err != nil {
		return 0, err
	}
	for end := begun.Add(waitAtMost); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ran := h.others.Load(); ran >= drainedJobs {
			return float64(ran) / time.Since(begun).Seconds(), nil
		}
	}
	return 0, fmt.Errorf("backlog: %d of %d jobs have run: %w", h.others.Load(), drainedJobs, errSlow)
}

// waits is a ledger with waiting tasks.
type waits struct {
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
}

// waiting opens an empty ledger, adds n tasks with one waiting job each, and returns the ledger.
func (l *lab) waiting(ctx context.Context, url, tenant, kind string, n int) (*waits, error) {
	w, err := l.openLedger(ctx, url)
	if err != nil {
		return nil, err
	}
	if err := w.one(ctx, tenant, kind); err != nil {
		return nil, err
	}
	return w, w.copies(ctx, n-1)
}

// openLedger opens a ledger, which a cleanup of the lab closes.
func (l *lab) openLedger(ctx context.Context, url string) (*waits, error) {
	db, err := ledger.Open(ctx, url, ledger.Options{})
	if err != nil {
		return nil, err
	}
	l.Cleanup(func() { _ = db.Close() }) // the ledger is private, and dropped afterwards
	return &waits{db, tasks.New(db, tasks.Options{}), events.New(db, events.Options{})}, nil
}

// one adds a task of one job.
func (w *waits) one(ctx context.Context, tenant, kind string) error {
	t := &tasks.Task{ID: tasks.NewID(), Tenant: tenant, Kind: kind, Type: tasks.Batch, Status: tasks.Splitting}
	claim, err := w.tasks.CreateHeld(ctx, t, tasks.Terms{Keep: time.Hour}, time.Minute)
	if err != nil {
		return err
	}
	_, err = w.events.Append(ctx, events.Chunk{
		Num: t.Num, Claim: int64(claim), TTL: time.Minute, Final: true,
		Rows: []events.Draft{{Row: 1, Key: t.ID, Params: []byte(`{}`)}},
	})
	return err
}

// used returns the processor time of the API, the worker and Postgres so far.
func (w *waits) used(ctx context.Context, s *site) (sum time.Duration, err error) {
	var backend int
	if err := w.db.Pool.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
		return 0, err
	}
	if sum, err = familyTime(backend); err != nil {
		return 0, err
	}
	for name, p := range s.procs {
		t, err := cpuTime(p.PID())
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		sum += t
	}
	return sum, nil
}
