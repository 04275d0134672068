package taskcache

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// fixture is a cache with a task that the test changes.
type fixture struct {
	Cache
	version   atomic.Int64
	reads     atomic.Int64
	loads     atomic.Int64
	renders   atomic.Int64
	ended     atomic.Bool
	away      atomic.Bool
	slow      time.Duration
	forTenant string
	stopping  chan struct{}
}

var errGone = errors.New("away")

func newFixture() *fixture {
	g := &fixture{forTenant: "acme", stopping: make(chan struct{})}
	g.version.Store(1)
	g.MaxAge = 250 * time.Millisecond
	g.Read = func(ctx context.Context, tenant, id string) (*tasks.Task, error) {
		g.reads.Add(1)
		version := g.version.Load()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(g.slow):
		}
		switch {
		case g.away.Load():
			return nil, errGone
		case tenant != g.forTenant:
			return nil, tasks.ErrNotFound
		}
		t := &tasks.Task{Num: 1, ID: id, Version: version, Status: tasks.Running}
		if g.ended.Load() {
			t.Status = tasks.Finished
		}
		return t, nil
	}
	g.Load = func(_ context.Context, t *tasks.Task) (Render, error) {
		g.loads.Add(1)
		return func(lang string) view.Task {
			g.renders.Add(1)
			return view.Task{TaskJSON: tasks.TaskJSON{ID: t.ID, Name: lang}, Version: t.Version}
		}, nil
	}
	return g
}

// sees polls once, and fails the test unless the version is the expected one.
func (g *fixture) sees(t *testing.T, want int64) {
	t.Helper()
	l, err := g.Get(t.Context(), "acme", "x")
	if err != nil {
		t.Fatal(err)
	}
	if l.Task.Version != want {
		t.Errorf("version %d, want %d", l.Task.Version, want)
	}
}

func TestCache_ManyPolls_ReadTheTaskOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		g.slow = 10 * time.Millisecond
		end := time.Now().Add(time.Second)
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				for time.Now().Before(end) {
					g.sees(t, 1)
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		all.Wait()
		if n := g.reads.Load(); n > 5 {
			t.Errorf("the ledger was asked %d times in a second", n)
		}
		if n := g.loads.Load(); n != 1 {
			t.Errorf("the errors of an unchanged task were read %d times", n)
		}
	})
}

func TestGet_CachedTask_IsNeverOlderThanMaxAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		g.sees(t, 1)
		g.version.Store(2)
		time.Sleep(249 * time.Millisecond)
		g.sees(t, 1)
		time.Sleep(time.Millisecond)
		g.sees(t, 2)
		g.version.Store(3)
		g.Invalidate("acme", "x")
		g.sees(t, 3)
	})
}

func TestCache_UnusedSnapshots_AreDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		for i := range 1000 {
			_, err := g.Get(t.Context(), "acme", string(rune('a'+i%26))+string(rune('a'+i/26)))
			if err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * sweepAfter)
		g.sees(t, 1)
		if n := len(g.snapshots); n != 1 {
			t.Errorf("%d snapshots are kept", n)
		}
	})
}

func TestGet_OtherTenantOrError_IsNotCached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		g.sees(t, 1)
		if _, err := g.Get(t.Context(), "other", "x"); !errors.Is(err, tasks.ErrNotFound) {
			t.Errorf("another tenant gets %v", err)
		}
		time.Sleep(time.Second)
		g.away.Store(true)
		if _, err := g.Get(t.Context(), "acme", "x"); !errors.Is(err, errGone) {
			t.Errorf("an old answer while the ledger is away: %v", err)
		}
		g.away.Store(false)
		g.sees(t, 1)
	})
}

func TestCache_MissingTasks_AreReadOnceAndFillNoMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		g.slow = 10 * time.Millisecond
		asks := func(id string) {
			if _, err := g.Get(t.Context(), "other", id); !errors.Is(err, tasks.ErrNotFound) {
				t.Errorf("a task that is not there: %v", err)
			}
		}
		end := time.Now().Add(time.Second)
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				for time.Now().Before(end) {
					asks("x")
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		all.Wait()
		if n := g.reads.Load(); n > 5 {
			t.Errorf("the ledger was asked %d times in a second", n)
		}
		for i := range 3 * maxMissing {
			asks(strconv.Itoa(i))
		}
		asks(strings.Repeat("x", 1<<20))
		kept := 0
		for where := range g.missing {
			kept += len(where.id)
		}
		if len(g.missing) > maxMissing || len(g.snapshots) > 0 || kept > maxMissing*longID {
			t.Errorf("%d missing tasks of %d bytes and %d snapshots are kept", len(g.missing), kept, len(g.snapshots))
		}
		g.forTenant = "other" // now the task exists
		time.Sleep(time.Second)
		if _, err := g.Get(t.Context(), "other", "x"); err != nil {
			t.Errorf("a task that is there by now: %v", err)
		}
	})
}

// TestInvalidate_ReadThatBeganBefore_IsNotServedLater: the read ends after the change, and later callers do
// not receive its result.
func TestInvalidate_ReadThatBeganBefore_IsNotServedLater(t *testing.T) {
	t.Parallel()
	for name, asked := range map[string]bool{"read again meanwhile": true, "not read yet": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newFixture()
				g.slow = time.Second
				early := make(chan *Snapshot)
				go func() { l, _ := g.Get(t.Context(), "acme", "x"); early <- l }()
				synctest.Wait()
				g.version.Store(2)
				g.Invalidate("acme", "x")
				g.slow = 0
				if asked {
					g.sees(t, 2)
				}
				if l := <-early; asked && l.Task.Version != 2 {
					t.Errorf("an earlier caller got version %d after 2", l.Task.Version)
				}
				g.sees(t, 2)
			})
		})
	}
}

func TestGet_CanceledCaller_DoesNotEndTheReadOfOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		g.slow = time.Second
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() { _, err := g.Get(ctx, "acme", "x"); gone <- err }()
		synctest.Wait()
		var all sync.WaitGroup
		all.Go(func() { g.sees(t, 1) })
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the canceled caller gets %v", err)
		}
		all.Wait()
		if n := g.reads.Load(); n != 1 {
			t.Errorf("the ledger was asked %d times", n)
		}
	})
}
