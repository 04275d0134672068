package queue

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHistoryTellsEachMinuteOnce checks that one of many processes stores each minute, and that
// samples older than SamplesKept are deleted.
func TestHistoryTellsEachMinuteOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		now := time.Now().Truncate(time.Minute).Add(7 * time.Second)
		admin := func() *Admin {
			return NewClient(w.rdb, ClientOptions{
				Prefix: w.prefix, Queues: []Spec{{Name: "q"}}, Now: func() time.Time { return now },
			}).Admin()
		}
		begin := now.Truncate(time.Minute)
		w.push(Job{Key: "a", RunAt: begin}, Job{Key: "b", RunAt: begin.Add(time.Hour)})
		note := func() {
			t.Helper()
			if err := admin().Note(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		note()
		now = now.Add(20 * time.Second)
		note()
		now = now.Add(time.Minute)
		w.push(Job{Key: "c", RunAt: now.Add(time.Hour)})
		note()
		read := func(since time.Time) []Sample {
			t.Helper()
			list, err := admin().History(t.Context(), "q", since)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		first := Sample{At: begin.Add(7 * time.Second), Length: 2, Lag: 7 * time.Second}
		second := Sample{At: begin.Add(87 * time.Second), Length: 3, Lag: 87 * time.Second}
		if diff := cmp.Diff([]Sample{first, second}, read(begin)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if list := read(second.At); len(list) != 1 || !cmp.Equal(list[0], second) {
			t.Errorf("since the second minute: %+v", list)
		}
		now = begin.Add(SamplesKept + time.Minute)
		inLedger := func(context.Context) (map[string]time.Duration, error) {
			return map[string]time.Duration{"q": 2 * SamplesKept}, nil
		}
		if err := admin().Note(t.Context(), inLedger); err != nil {
			t.Fatal(err)
		}
		if list := read(begin); len(list) != 1 || list[0].Lag != 2*SamplesKept {
			t.Errorf("after SamplesKept there is %v, want the last, with the lag of the ledger", list)
		}
	})
}
