package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPayloadsAreLocated covers payloads that wait alone or among others, are delayed, in flight or
// dead, and unknown ones.
func TestPayloadsAreLocated(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a := w.client().Admin()
		if got, err := a.Locate(t.Context(), "q", Ref{Key: "k", Head: "x"}); err != nil || got[0] != (Place{}) {
			t.Errorf("in a queue that nobody knows: %+v, %v", got, err)
		}
		w.push(Job{Key: "dead", Payload: []byte("d;1;rest"), Score: 1 << 40})
		entered, leave := make(chan bool), make(chan bool)
		s := w.serve(w.quick(), Worker{Queue: "q", MaxRetries: NoRetries, Handle: func(_ context.Context, b *Batch) error {
			for key := range b.Keys() {
				if key == "dead" {
					return context.Canceled
				}
			}
			entered <- true
			<-leave
			return nil
		}})
		until(t, "it is dead", func() bool { return w.stats().MorgueLength == 1 })
		w.push(
			Job{Key: "busy", Payload: []byte("b1;2;rest"), Score: 1},
			Job{Key: "busy", Payload: []byte("b2"), Score: 2, Redelivered: true},
		)
		<-entered
		w.push(
			Job{Key: "busy", Payload: []byte("b1;2;later"), Score: 1},
			Job{Key: "later", Payload: []byte("l1"), Score: 3.5, RunAt: time.Now().Add(time.Hour)},
			Job{Key: "many", Payload: []byte("m1"), Score: 1e18, RunAt: time.Now().Add(time.Hour)},
			Job{Key: "many", Payload: []byte("m2"), Score: 1e18},
		)
		refs := []Ref{
			{"dead", 1 << 40, "d;1;"},
			{"busy", 1, "b1;2;"},
			{"busy", 2, "b2"},
			{"later", 3.5, "l1"},
			{"many", 1e18, "m2"},
			{"many", 1e18, "m3"},
			{"many", 1e17, "m2"},
			{"nobody", 1, ""},
			{"later", 3.5, "l2"},
		}
		got, err := a.Locate(t.Context(), "q", refs...)
		want := []Place{
			{Dead: 1},
			{Waiting: 1, Busy: 1, Redelivered: true},
			{Busy: 1, Redelivered: true},
			{Waiting: 1},
			{Waiting: 1},
			{},
			{},
			{},
			{},
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v, places (-want +got):\n%s", err, diff)
		}
		if got := held(t, a); got != "busy b1;2;later 1 false, busy b1;2;rest 1 true, busy b2 2 true, "+
			"later l1 3.5 false, many m1 1e+18 false, many m2 1e+18 false" {
			t.Errorf("held: %s", got)
		}
		go func() {
			for range entered { // what waited behind it
			}
		}()
		close(leave)
		s.Stop()
		close(entered)
	})
}

func held(t *testing.T, a *Admin) string {
	t.Helper()
	var out []string
	for h, err := range a.Held(t.Context(), "q") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %s %t", h.Key, h.Payload, formatScore(h.Score), h.Busy))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestHeldStopsWhenAsked checks that the loop may end early.
func TestHeldStopsWhenAsked(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for i := range 300 {
			w.push(Job{Key: fmt.Sprint(i % 7), Payload: fmt.Append(nil, i)}, Job{Key: fmt.Sprint("k", i)})
		}
		n := 0
		for _, err := range w.client().Admin().Held(t.Context(), "q") {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 250 {
				break
			}
		}
		all := strings.Count(held(t, w.client().Admin()), ", ") + 1
		if n != 250 || all != 600 {
			t.Errorf("saw %d of 250, and %d of 600", n, all)
		}
	})
}
