package web

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

// ground is a board over a task that the test moves by hand.
type ground struct {
	board
	version   atomic.Int64
	reads     atomic.Int64
	told      atomic.Int64
	shown     atomic.Int64
	ended     atomic.Bool
	away      atomic.Bool
	slow      time.Duration
	forTenant string
}

var errGone = errors.New("away")

func newGround() *ground {
	g := &ground{forTenant: "acme"}
	g.version.Store(1)
	g.board.fresh = 250 * time.Millisecond
	g.board.read = func(ctx context.Context, tenant, id string) (*tasks.Task, error) {
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
	g.board.tell = func(_ context.Context, t *tasks.Task) (telling, error) {
		g.told.Add(1)
		return func(lang string) view.Task {
			g.shown.Add(1)
			return view.Task{Served: tasks.Served{ID: t.ID, Name: lang}, Version: t.Version}
		}, nil
	}
	return g
}

// sees polls once, and fails the test if it is not the version wanted.
func (g *ground) sees(t *testing.T, want int64) {
	t.Helper()
	l, err := g.get(t.Context(), "acme", "x")
	if err != nil {
		t.Fatal(err)
	}
	if l.task.Version != want {
		t.Errorf("version %d, want %d", l.task.Version, want)
	}
}

func TestManyPollersAskTheLedgerOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
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
		if n := g.told.Load(); n != 1 {
			t.Errorf("the errors of an unchanged task were read %d times", n)
		}
	})
}

func TestAnAnswerIsNeverOlderThanFresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		g.sees(t, 1)
		g.version.Store(2)
		time.Sleep(249 * time.Millisecond)
		g.sees(t, 1)
		time.Sleep(time.Millisecond)
		g.sees(t, 2)
		g.version.Store(3)
		g.forget("acme", "x")
		g.sees(t, 3)
	})
}

func TestABoardKeepsNothingThatNobodyAsksFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		for i := range 1000 {
			_, err := g.get(t.Context(), "acme", string(rune('a'+i%26))+string(rune('a'+i/26)))
			if err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * boardSweep)
		g.sees(t, 1)
		if n := len(g.looks); n != 1 {
			t.Errorf("%d looks are kept", n)
		}
	})
}

func TestABoardNeverMixesTenantsAndKeepsNoErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		g.sees(t, 1)
		if _, err := g.get(t.Context(), "other", "x"); !errors.Is(err, tasks.ErrNotFound) {
			t.Errorf("another tenant gets %v", err)
		}
		time.Sleep(time.Second)
		g.away.Store(true)
		if _, err := g.get(t.Context(), "acme", "x"); !errors.Is(err, errGone) {
			t.Errorf("an old answer while the ledger is away: %v", err)
		}
		g.away.Store(false)
		g.sees(t, 1)
	})
}

// TestTasksThatAreNotThere: however many ask for one, and for however many.
func TestTasksThatAreNotThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		g.slow = 10 * time.Millisecond
		asks := func(id string) {
			if _, err := g.get(t.Context(), "other", id); !errors.Is(err, tasks.ErrNotFound) {
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
		for i := range 3 * maxAbsent {
			asks(strconv.Itoa(i))
		}
		asks(strings.Repeat("x", 1<<20))
		kept := 0
		for where := range g.absent {
			kept += len(where.id)
		}
		if len(g.absent) > maxAbsent || len(g.looks) > 0 || kept > maxAbsent*longID {
			t.Errorf("%d absent tasks of %d bytes and %d looks are kept", len(g.absent), kept, len(g.looks))
		}
		g.forTenant = "other" // it is made
		time.Sleep(time.Second)
		if _, err := g.get(t.Context(), "other", "x"); err != nil {
			t.Errorf("a task that is there by now: %v", err)
		}
	})
}

// TestNobodyIsToldWhatWasBefore: a read that began before a change, and ends
// behind it, is told to nobody who asks afterwards, nor kept.
func TestNobodyIsToldWhatWasBefore(t *testing.T) {
	t.Parallel()
	for name, asked := range map[string]bool{"read again meanwhile": true, "not read yet": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newGround()
				g.slow = time.Second
				early := make(chan *look)
				go func() { l, _ := g.get(t.Context(), "acme", "x"); early <- l }()
				synctest.Wait()
				g.version.Store(2)
				g.forget("acme", "x")
				g.slow = 0
				if asked {
					g.sees(t, 2)
				}
				if l := <-early; asked && l.task.Version != 2 {
					t.Errorf("who had asked before was told version %d behind 2", l.task.Version)
				}
				g.sees(t, 2)
			})
		})
	}
}

func TestAPollerThatGoesAwayEndsNobodyElsesLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		g.slow = time.Second
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() { _, err := g.get(ctx, "acme", "x"); gone <- err }()
		synctest.Wait()
		var all sync.WaitGroup
		all.Go(func() { g.sees(t, 1) })
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("who went away gets %v", err)
		}
		all.Wait()
		if n := g.reads.Load(); n != 1 {
			t.Errorf("the ledger was asked %d times", n)
		}
	})
}
