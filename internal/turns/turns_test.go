package turns_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/turns"
)

// room is a simulation of tenants that always wait.
type room struct {
	*turns.Turns
	waiting []turns.Waiting
	given   map[string]int
}

func newRoom(permits int, weights map[string]int64) *room {
	r := &room{Turns: turns.New(permits), given: map[string]int{}}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if w := weights[name]; w != 0 {
			r.waiting = append(r.waiting, turns.Waiting{Tenant: name, Weight: w})
		}
	}
	return r
}

// next grants a permit and returns the tenant, or "" if none may run.
func (r *room) next(cost float64) string {
	i := r.Next(r.waiting, cost)
	if i < 0 {
		return ""
	}
	r.given[r.waiting[i].Tenant]++
	return r.waiting[i].Tenant
}

func TestNext_WeightsThreeToOne_SharesThreeToOne(t *testing.T) {
	t.Parallel()
	for _, permits := range []int{1, 4} {
		r := newRoom(permits, map[string]int64{"a": 3, "b": 1})
		var held []string
		for range 400 {
			name := r.next(100)
			for name == "" {
				r.Leave(held[0])
				held = held[1:]
				name = r.next(100)
			}
			held = append(held, name)
		}
		if a := r.given["a"]; a < 296 || a > 304 {
			t.Errorf("%d permits: a got %d of 400 turns, want 300", permits, a)
		}
	}
}

func TestNext_CostsDiffer_SharesAreOfTheCost(t *testing.T) {
	t.Parallel()
	r := newRoom(1, map[string]int64{"a": 1, "b": 1})
	for range 110 {
		name := r.next(1)
		if name == "a" {
			r.Charge("a", 9)
		}
		r.Leave(name)
	}
	if r.given["a"] != 10 || r.given["b"] != 100 {
		t.Errorf("given %v, want 10 turns of 10 to a and 100 turns of 1 to b", r.given)
	}
}

func TestNext_AllPlacesTaken_ATenantWithoutOneGetsOne(t *testing.T) {
	t.Parallel()
	r := newRoom(2, map[string]int64{"a": 1})
	got := []string{r.next(1), r.next(1), r.next(1)}
	for _, name := range []string{"b", "c", "d"} {
		r.waiting = append(r.waiting, turns.Waiting{Tenant: name})
		got = append(got, r.next(1))
	}
	if diff := cmp.Diff([]string{"a", "a", "", "b", "c", ""}, got); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	r.Leave("b")
	if got := r.next(1); got != "d" {
		t.Errorf("%q got the permit of b, want d", got)
	}
}

func TestNext_AnotherWaits_ATenantHoldsAtMostItsShare(t *testing.T) {
	t.Parallel()
	r := newRoom(4, map[string]int64{"a": 1, "b": 1})
	for range 4 {
		r.next(1)
	}
	r.Leave("b")
	r.Leave("b")
	if got := r.next(1); got != "b" {
		t.Errorf("%q holds more than half of the permits", got)
	}
}

func TestNext_ATenantComesBack_ItHasNoCredit(t *testing.T) {
	t.Parallel()
	r := newRoom(1, map[string]int64{"a": 1})
	for range 50 {
		r.Leave(r.next(100))
	}
	r.waiting = append(r.waiting, turns.Waiting{Tenant: "b"})
	r.given = map[string]int{}
	for range 10 {
		r.Leave(r.next(100))
	}
	if r.given["b"] > 6 {
		t.Errorf("given %v after b came back, want equal shares", r.given)
	}
}

func TestNext_AllPlacesTaken_ATenantThatWasGivenLittleGetsOneAgainAndAgain(t *testing.T) {
	t.Parallel()
	r := newRoom(4, map[string]int64{"a": 1})
	for range 4 {
		r.next(100)
	}
	r.waiting = append(r.waiting, turns.Waiting{Tenant: "b"})
	for i := range 20 {
		if got := r.next(100); got != "b" {
			t.Fatalf("work %d of b waits, and %q goes", i, got)
		}
		r.Charge("b", 10)
		r.Leave("b")
		r.Charge("a", 5000)
	}
}
