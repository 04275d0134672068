package access

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLookups_RequestsOfOneAddress_LeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	l := newLookups()
	hold := func(from string) func() {
		t.Helper()
		leave, err := l.enter(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := hold("a"), hold("a")
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := l.enter(short, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a third lookup of an address: %v", err)
	}
	other := hold("b")
	first()
	hold("a")()
	other()
	second()
	if len(l.by) != 0 || len(l.all) != 0 {
		t.Errorf("left: %v, %d", l.by, len(l.all))
	}
}

func TestLookups_ManyAddresses_ShareOneBound(t *testing.T) {
	t.Parallel()
	l := newLookups()
	var now, most atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			leave, err := l.enter(t.Context(), string(rune('a'+i%20)))
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			n := now.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(time.Millisecond) // the work of a lookup
			now.Add(-1)
		})
	}
	all.Wait()
	if most.Load() > lookupsOfAll || len(l.by) != 0 {
		t.Errorf("%d lookups at once, %d addresses left", most.Load(), len(l.by))
	}
}
