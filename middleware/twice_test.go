package middleware

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// one is a ledger with one event. It tries only the first of several moves, as events.Record does.
type one struct {
	mu  sync.Mutex
	now events.State
}

func (o *one) Point() events.Point { return events.Point{} }
func (o *one) RecordIn(_ context.Context, _ int64, moves []events.Move) ([]bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	made := make([]bool, len(moves))
	if m := moves[0]; m.From == o.now.Status && m.FromAttempt == o.now.Attempt {
		o.now.Status, o.now.Attempt, o.now.StartedAt, made[0] = m.To, m.Attempt, m.StartedAt, true
	}
	return made, nil
}

func (o *one) States(context.Context, []events.ID) (map[events.ID]events.State, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return map[events.ID]events.State{o.now.ID: o.now}, nil
}

func (o *one) SaveCheckpoint(context.Context, events.Run, json.RawMessage) (json.RawMessage, error) {
	return nil, nil
}
func (o *one) Progress(context.Context, events.Run, events.Progress) error { return nil }
func (o *one) Begin(context.Context) (*events.GroupTx, error)              { return nil, nil }
func (o *one) OneWriter() bool                                             { return false }
func (o *one) Register(context.Context, events.Runner) (int32, error)      { return 1, nil }

func TestClaim_TwiceInAGroup_OneRunGetsTheJob(t *testing.T) {
	id := events.NewID(1, 1)
	l := &one{now: events.State{ID: id, TaskID: "t", Status: events.Enqueue, Runner: events.Runner{Worker: "w"}}}
	r := NewRecorder(l, Options{Worker: "w"})
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i := range errs {
		x := &run{id: id, task: "t", from: events.Enqueue, delivery: &queue.Delivery{}, call: &jobs.Call{}, rec: r}
		wg.Go(func() { errs[i] = r.claim(t.Context(), x, false) })
	}
	for n := 0; n < 2; time.Sleep(time.Millisecond) {
		r.mu.Lock()
		n = len(r.rechecks)
		r.mu.Unlock()
	}
	r.Start()
	wg.Wait()
	r.Stop(time.Second)
	if errs[0] == nil && errs[1] == nil {
		t.Error("both runs may begin attempt 1")
	}
}
