package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// ground is a board over a task that the test moves by hand.
type ground struct {
	board
	version   atomic.Int64
	reads     atomic.Int64
	told      atomic.Int64
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
		return &tasks.Task{Num: 1, ID: id, Version: version}, nil
	}
	g.board.tell = func(_ context.Context, t *tasks.Task) (telling, error) {
		g.told.Add(1)
		return func(lang string) taskView {
			return taskView{ID: t.ID, Name: lang, Version: t.Version}
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
		for range 200 {
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
