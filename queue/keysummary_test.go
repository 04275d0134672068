package queue

import (
	"context"
	"errors"
	"testing"
	"time"
)

// keySummaries returns the states of keys, one letter for each of dead, failed, later and waiting.
func keySummaries(t *testing.T, a *Admin, keys ...string) (out []string) {
	t.Helper()
	list, err := a.KeySummaries(t.Context(), "q", keys...)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		text := ""
		for i, is := range []bool{s.Dead, s.Failed, s.Later, s.Waiting} {
			if is {
				text += "dflw"[i : i+1]
			}
		}
		out = append(out, text)
	}
	return out
}

func TestKeySummaries_KeysOfEachKind_Differ(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		a := w.client().Admin()
		if got := keySummaries(t, a, "a"); got[0] != "" {
			t.Errorf("in a queue that Redis has not seen: %q", got)
		}
		w.push(Job{Key: "failed"}, Job{Key: "killed"})
		failAll(t, w, 2)
		w.push(Job{Key: "fresh"}, Job{Key: "later", RunAt: time.Now().Add(time.Hour)})
		if n, err := a.Kill(t.Context(), "q", "killed"); n != 1 || err != nil {
			t.Fatalf("kill = %d, %v", n, err)
		}
		keys, want := []string{"fresh", "later", "failed", "killed", "none"}, []string{"w", "lw", "flw", "d", ""}
		for i, got := range keySummaries(t, a, keys...) {
			if got != want[i] {
				t.Errorf("%s stands as %q, want %q", keys[i], got, want[i])
			}
		}
	})
}

func TestActsOnFailedKeys_NamedKeysThatHaveNotFailed_Stay(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "f1"}, Job{Key: "f2"}, Job{Key: "f3"})
		failAll(t, w, 3)
		w.push(Job{Key: "fresh"})
		a := w.client().Admin()
		if n, err := a.DeleteFailed(t.Context(), "q", "f1", "fresh", "none"); n != 1 || err != nil {
			t.Errorf("delete failed = %d, %v, want 1", n, err)
		}
		if n, err := a.KillFailed(t.Context(), "q", "f2", "fresh", "none"); n != 1 || err != nil {
			t.Errorf("kill failed = %d, %v, want 1", n, err)
		}
		if n, err := a.KillFailed(t.Context(), "q"); n != 0 || err != nil {
			t.Errorf("kill failed of no key = %d, %v, want 0", n, err)
		}
		keys, want := []string{"f1", "f2", "f3", "fresh"}, []string{"", "d", "flw", "w"}
		for i, got := range keySummaries(t, a, keys...) {
			if got != want[i] {
				t.Errorf("%s stands as %q, want %q", keys[i], got, want[i])
			}
		}
	})
}

// TestActsOnNamedKeys_NoKeyNamed_TouchNothing covers a queue during a reshard, too.
func TestActsOnNamedKeys_NoKeyNamed_TouchNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.push(Job{Key: "dead"}, Job{Key: "waits", RunAt: time.Now().Add(time.Hour)})
		s := w.serve(w.quick(), Worker{
			Queue: "q", MaxRetries: NoRetries,
			Handle: func(context.Context, *Batch) error { return errors.New("no") },
		})
		until(t, "one is dead", func() bool { return w.stats().MorgueLength == 1 })
		s.Stop()
		a := w.client().Admin()
		for _, moving := range []bool{false, true} {
			if moving {
				if err := a.Reshard(t.Context(), "q", 2); err != nil {
					t.Fatal(err)
				}
			}
			for name, act := range map[string]func(context.Context, string, ...string) (int, error){
				"requeue": a.RequeueMorgue, "delete dead": a.DeleteMorgue, "perform now": a.PerformNow,
				"kill": a.Kill, "delete": a.Delete, "kill failed": a.KillFailed, "delete failed": a.DeleteFailed,
			} {
				if n, err := act(t.Context(), "q"); n != 0 || err != nil {
					t.Errorf("%s of no key = %d, %v, want 0 (resharding: %t)", name, n, err, moving)
				}
			}
		}
		if got := keySummaries(t, a, "dead", "waits"); got[0] != "d" || got[1] != "lw" {
			t.Errorf("they stand as %q afterwards", got)
		}
	})
}
