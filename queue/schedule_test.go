package queue

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSchedulers(t *testing.T) {
	t.Parallel()
	at := func(queue string, ms int64, weight int) Candidate {
		return Candidate{ShardInfo: ShardInfo{Queue: queue}, Oldest: time.UnixMilli(ms), Weight: weight}
	}
	list := []Candidate{at("a", 3, 1), at("b", 1, 3), at("b", 2, 3)}
	for name, tt := range map[string]struct {
		by   Scheduler
		want string
	}{
		"lag takes the oldest":       {Lag(), "11111111"},
		"in turn":                    {Sequential(), "00000000"},
		"weighted: three to one":     {Weighted(), "10111011"},
		"a nonsensical one is first": {wild{}, "99999999"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got strings.Builder
			for range 8 {
				fmt.Fprint(&got, tt.by.Next(list))
			}
			if got.String() != tt.want {
				t.Errorf("chose %s, want %s", got.String(), tt.want)
			}
		})
	}
}

type wild struct{}

func (wild) Next([]Candidate) int { return 9 }

// TestQueuesAreServedByWeight serves two full queues with ten goroutines. Each is busy long enough
// for the next keys to arrive on a slow machine.
func TestQueuesAreServedByWeight(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		c := w.client(Spec{"many", 1}, Spec{"few", 1})
		var jobs []Job
		for i := range 600 {
			jobs = append(jobs, Job{Queue: "many", Key: fmt.Sprint(i)}, Job{Queue: "few", Key: fmt.Sprint(i)})
		}
		if err := c.Push(t.Context(), jobs...); err != nil {
			t.Fatal(err)
		}
		var got seen
		handle := func(_ context.Context, b *Batch) error {
			got.add("%s", b.Queue)
			time.Sleep(10 * time.Millisecond)
			return nil
		}
		opt := w.quick()
		opt.Concurrency, opt.Schedule = 10, Weighted()
		w.serve(opt, Worker{Queue: "many", Weight: 4, Handle: handle}, Worker{Queue: "few", Handle: handle})
		until(t, "five hundred ran", func() bool { return got.len() >= 520 })
		few := 0
		for _, queue := range got.get()[20:520] {
			if queue == "few" {
				few++
			}
		}
		if few < 50 || few > 175 {
			t.Errorf("%d of 500 went to the queue of weight 1 beside one of weight 4, want about 100", few)
		}
	})
}

func TestANodeByNumberKeepsToItsShards(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		idle := Worker{Queue: "q", Handle: blank}
		owned := func(s *Server) (names []string) {
			for _, own := range s.owned() {
				names = append(names, own.shard.id.name())
			}
			return names
		}
		var all []string
		for i := range 2 {
			opt := w.quick()
			opt.Assign = ByNode(i, 2)
			s := w.serve(opt, idle)
			want := 2
			if opt.Assign(ShardInfo{Queue: "q"}, "", nil) {
				want = 3
			}
			until(t, "its shards owned", func() bool { return len(owned(s)) == want })
			all = append(all, owned(s)...)
		}
		slices.Sort(all)
		if strings.Join(all, "") != "01234" {
			t.Errorf("two nodes own %v, want each shard once", all)
		}
	})
}

func TestAHandlerThatEndsItsGoroutine(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		opt := w.quick()
		opt.Concurrency = 1
		w.serve(opt, Worker{Queue: "q", MaxRetries: NoRetries, Handle: func(context.Context, *Batch) error {
			runtime.Goexit()
			return nil
		}})
		for i := range 3 {
			w.push(Job{Key: fmt.Sprint(i)})
		}
		until(t, "all are dead, none hangs", func() bool { return w.stats().MorgueLength == 3 })
	})
}
