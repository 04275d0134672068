package groupcommit_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/groupcommit"
)

var errBad = errors.New("bad item")

// table is a database. A commit takes a second, and is rolled back if it contains a negative item.
type table struct {
	mu      sync.Mutex
	commits [][]int
	unknown bool // after a failed commit, it is unknown whether it was rolled back
}

func (d *table) commit(ctx context.Context, items []int) (bool, error) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return true, ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if slices.Min(items) < 0 {
		return !d.unknown, errBad
	}
	d.commits = append(d.commits, slices.Sorted(slices.Values(items)))
	return false, nil
}

func (d *table) group() *groupcommit.Group[int] {
	return groupcommit.New(groupcommit.Options[int]{Most: 4, Timeout: time.Minute, Commit: d.commit})
}

// begin starts a caller that commits an item, and returns when the caller waits.
func begin(ctx context.Context, g *groupcommit.Group[int], item int) (answer <-chan error) {
	out := make(chan error, 1)
	go func() { out <- g.Do(ctx, item) }()
	synctest.Wait()
	return out
}

func (d *table) has(t *testing.T, want ...[]int) {
	t.Helper()
	if !slices.EqualFunc(d.commits, want, slices.Equal) {
		t.Errorf("commits %v, want %v", d.commits, want)
	}
}

func TestDo_CallersBesideACommit_AreCommittedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d table
		g := d.group()
		for i := range 7 {
			begin(t.Context(), g, i)
		}
		g.Wait()
		time.Sleep(time.Hour)
		d.has(t, []int{0}, []int{1, 2, 3, 4}, []int{5, 6})
	})
}

func TestDo_OneItemIsBad_TheOthersAreCommitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d table
		g := d.group()
		begin(t.Context(), g, 0)
		bad, good := begin(t.Context(), g, -1), begin(t.Context(), g, 2)
		if err := <-bad; !errors.Is(err, errBad) {
			t.Errorf("the bad item: %v", err)
		}
		if err := <-good; err != nil {
			t.Errorf("the good item: %v", err)
		}
		d.has(t, []int{0}, []int{2})
	})
}

func TestDo_OutcomeUnknown_NothingIsCommittedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := table{unknown: true}
		g := d.group()
		begin(t.Context(), g, 0)
		bad, good := begin(t.Context(), g, -1), begin(t.Context(), g, 2)
		for _, answer := range []<-chan error{bad, good} {
			if err := <-answer; !errors.Is(err, errBad) {
				t.Errorf("%v, want the error of the commit", err)
			}
		}
		d.has(t, []int{0})
	})
}

func TestDo_ContextOfTheCallerThatCommitsEnds_OthersAreCommitted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d table
		g := d.group()
		begin(t.Context(), g, 0)
		short, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond) // ends in the second commit
		defer cancel()
		first := begin(short, g, 1)
		second := begin(short, g, 2)
		third := begin(t.Context(), g, 3)
		for _, answer := range []<-chan error{first, second} {
			if err := <-answer; !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v, want the end of the context", err)
			}
		}
		if err := <-third; err != nil {
			t.Error(err)
		}
		d.has(t, []int{0}, []int{1, 2, 3})
	})
}

func TestDo_ContextEndsBeforeTheCommit_ItemIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d table
		g := d.group()
		begin(t.Context(), g, 0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		withdrawn := begin(ctx, g, 1)
		last := begin(t.Context(), g, 2)
		if err := <-withdrawn; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the end of the context", err)
		}
		if err := <-last; err != nil {
			t.Error(err)
		}
		d.has(t, []int{0}, []int{2})
	})
}

func TestDo_AloneAndContextEnds_CommitIsBrokenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d table
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := d.group().Do(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want the end of the context", err)
		}
		d.has(t)
	})
}
