package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// book is a ledger in memory that can fail.
type book struct {
	mu     sync.Mutex
	moves  []events.Move
	states map[events.ID]events.State
	refuse map[events.ID]bool
	shown  []events.Progress
	away   chan struct{} // until it is closed, RecordIn returns an error
}

func newBook() *book {
	b := &book{
		states: map[events.ID]events.State{}, refuse: map[events.ID]bool{},
		away: make(chan struct{}),
	}
	close(b.away)
	return b
}

func (b *book) Point() events.Point { return events.Point{} }

func (b *book) RecordIn(_ context.Context, _ int64, moves []events.Move) ([]bool, error) {
	select {
	case <-b.away:
	default:
		return nil, errors.New("connection refused")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	made := make([]bool, len(moves))
	for i, m := range moves {
		if made[i] = !b.refuse[m.ID]; made[i] {
			b.moves = append(b.moves, m)
		}
	}
	return made, nil
}

func (b *book) States(_ context.Context, ids []events.ID) (map[events.ID]events.State, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[events.ID]events.State{}
	for _, id := range ids {
		if s, ok := b.states[id]; ok {
			s.ID, s.TaskID = id, "t"
			out[id] = s
		}
	}
	return out, nil
}

func (b *book) SaveCheckpoint(context.Context, events.Run, json.RawMessage) (json.RawMessage, error) {
	return nil, nil
}

func (b *book) Begin(context.Context) (*events.GroupTx, error) { return nil, errors.ErrUnsupported }

func (b *book) OneWriter() bool { return false }

func (b *book) Register(context.Context, events.Runner) (int32, error) { return 7, nil }

func (b *book) Progress(_ context.Context, _ events.Run, p events.Progress) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = append(b.shown, p)
	return nil
}

// written returns the moves so far, each as a short text.
func (b *book) written() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, m := range b.moves {
		out = append(out, fmt.Sprintf("%d: %s %d > %s %d", m.ID.Seq(), m.From, m.FromAttempt, m.To, m.Attempt))
	}
	return out
}

func delivery(seq int64, attempt int) *queue.Delivery {
	payload := jobs.Envelope{
		Event: events.NewID(1, seq), TaskID: "t", Tenant: "acme", Row: int(seq) + 1,
		Attempt: attempt, Params: []byte(`{}`),
	}.Pack()
	return &queue.Delivery{Key: "acme/k", Payload: payload, RetryCount: -1}
}

type none struct{}

// kind returns a kind whose handler returns the n-th error at the n-th run.
func kind(results ...error) jobs.Kind {
	n := 0
	return jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[none]) error {
		err := results[n]
		n++
		return err
	}, worker.MaxRetries(1), worker.RetryIn(func(int) time.Duration { return time.Minute })))
}

// handle runs one batch to its commit and returns the outcomes for the queue.
func handle(t *testing.T, b *book, k jobs.Kind, list ...*queue.Delivery) []queue.Kind {
	t.Helper()
	return canceled(t, b, k, nil, list...)
}

// canceled runs a batch like handle, while some tasks are being canceled.
func canceled(t *testing.T, b *book, k jobs.Kind, tasks []string, list ...*queue.Delivery) []queue.Kind {
	t.Helper()
	rec := middleware.NewRecorder(b, middleware.Options{WorkingAfter: time.Hour})
	rec.Start()
	rec.Cancel(tasks)
	if err := middleware.Track(k, rec).Handle(t.Context(), &queue.Batch{Queue: k.Name, Deliveries: list}); err != nil {
		t.Errorf("Handle = %v", err)
	}
	rec.Stop(10 * time.Second)
	var out []queue.Kind
	for _, d := range list {
		o, _ := d.Outcome()
		out = append(out, o.Kind)
	}
	return out
}

// TestCopiesOfAJob: of the copies that count, one runs. A copy of an earlier Redis does not count,
// wherever it is.
func TestCopiesOfAJob(t *testing.T) {
	t.Parallel()
	for _, marks := range []string{"old new", "new old", "new new", "old new new", "new old new", "old old new"} {
		b := newBook()
		rec := middleware.NewRecorder(b, middleware.Options{
			WorkingAfter: time.Hour, CheckGeneration: func(_ context.Context, _, mark string) (ask, gone bool, err error) {
				return false, mark == "old", nil
			},
		})
		rec.Start()
		var list []*queue.Delivery
		for _, mark := range strings.Fields(marks) {
			d := delivery(1, 0)
			d.Payload = jobs.Envelope{
				Event: events.NewID(1, 1), TaskID: "t", Tenant: "acme", Mark: mark, Row: 2, Params: []byte(`{}`),
			}.Pack()
			list = append(list, d)
		}
		if err := middleware.Track(kind(nil), rec).Handle(t.Context(), &queue.Batch{Deliveries: list}); err != nil {
			t.Errorf("Handle = %v", err)
		}
		rec.Stop(10 * time.Second)
		if diff := cmp.Diff([]string{"1: enqueue 0 > finish 1"}, b.written()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", marks, diff)
		}
	}
}

// TestARetryLimitHoldsInAnotherRedis runs jobs that had two and three attempts before they were pushed to
// a new Redis.
func TestARetryLimitHoldsInAnotherRedis(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]queue.Kind{2: queue.Retry, 3: queue.Dead} {
		b, one := newBook(), kind(errors.New("boom"))
		one.MaxRetries = 3
		if got := handle(t, b, one, delivery(1, attempt)); got[0] != want {
			t.Errorf("after %d attempts: %v, want %v", attempt, got[0], want)
		}
	}
}

// TestAResubmissionGivesTheRetriesBack: attempts before the resubmission do not count.
func TestAResubmissionGivesTheRetriesBack(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]queue.Kind{4: queue.Retry, 6: queue.Retry, 7: queue.Dead} {
		b, one, d := newBook(), kind(errors.New("boom")), delivery(1, attempt)
		one.MaxRetries, d.Redelivered = 3, 1
		b.states[events.NewID(1, 1)] = events.State{Status: events.Enqueue, Attempt: attempt, Spared: 4}
		if got := handle(t, b, one, d); got[0] != want {
			t.Errorf("after %d attempts, 4 of them spared: %v, want %v", attempt, got[0], want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	retried := delivery(1, 0)
	retried.RetryCount = 0
	tests := []struct {
		name    string
		results []error
		list    []*queue.Delivery
		want    []queue.Kind
		written []string
	}{
		{
			"success is one write",
			[]error{nil},
			[]*queue.Delivery{delivery(1, 0)},
			[]queue.Kind{queue.Done},
			[]string{"1: enqueue 0 > finish 1"},
		},
		{
			"a business failure is done for the queue",
			[]error{worker.Fail("X", "no")},
			[]*queue.Delivery{delivery(1, 2)},
			[]queue.Kind{queue.Done},
			[]string{"1: enqueue 2 > failed 3"},
		},
		{
			"a fault is retried, and holds up what is behind it",
			[]error{boom},
			[]*queue.Delivery{delivery(1, 0), delivery(2, 0)},
			[]queue.Kind{queue.Retry, 0},
			[]string{"1: enqueue 0 > enqueue 1"},
		},
		{
			"the last retry ends in the morgue, the rest of the key goes on",
			[]error{boom, nil},
			[]*queue.Delivery{retried, delivery(2, 0)},
			[]queue.Kind{queue.Dead, queue.Done},
			[]string{"1: enqueue 1 > error 2", "2: enqueue 0 > finish 1"},
		},
		{
			"NoRetry goes to the morgue at once",
			[]error{worker.NoRetry(boom)},
			[]*queue.Delivery{delivery(1, 0)},
			[]queue.Kind{queue.Dead},
			[]string{"1: enqueue 0 > error 1"},
		},
		{
			"a snooze leaves no trace",
			[]error{worker.Snooze(time.Hour)},
			[]*queue.Delivery{delivery(1, 0), delivery(2, 0)},
			[]queue.Kind{queue.Return, 0},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBook()
			if diff := cmp.Diff(tt.want, handle(t, b, kind(tt.results...), tt.list...)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.written, b.written()); diff != "" {
				t.Errorf("writes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPanicIsAFaultWithItsStack(t *testing.T) {
	t.Parallel()
	b := newBook()
	k := jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[none]) error { panic("ouch") }))
	if got := handle(t, b, k, delivery(1, 0)); got[0] != queue.Retry {
		t.Errorf("outcome %v, want retry", got[0])
	}
	note := b.moves[0].Notes[0]
	if note.Text != "panic: ouch" || !strings.Contains(note.Stack, "track_test.go") {
		t.Errorf("note = %+v", note)
	}
}

func TestATimeoutIsAFault(t *testing.T) {
	t.Parallel()
	k := jobs.KindOf(worker.Define("k", func(ctx context.Context, _ *worker.Job[none]) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}, worker.Timeout(time.Millisecond)))
	b := newBook()
	if got := handle(t, b, k, delivery(1, 0)); got[0] != queue.Retry {
		t.Errorf("outcome %v, want retry", got[0])
	}
	if text := b.moves[0].Notes[0].Text; text != "took longer than 1ms" {
		t.Errorf("note %q", text)
	}
}

func TestRefusedMoves(t *testing.T) {
	t.Parallel()
	for status, want := range map[events.Status]queue.Kind{
		events.Finish: queue.Done, events.Canceled: queue.Done, "": queue.Done,
		events.Enqueue: queue.Return, events.Working: queue.Return,
	} {
		b := newBook()
		id := events.NewID(1, 1)
		b.refuse[id] = true
		if status != "" {
			b.states[id] = events.State{Status: status}
		}
		d := delivery(1, 0)
		if got := handle(t, b, kind(nil), d); got[0] != want {
			t.Errorf("an event that is %q: outcome %v, want %v", status, got[0], want)
		}
		if o, _ := d.Outcome(); o.Redelivered != (want == queue.Return) {
			t.Errorf("an event that is %q: redelivered %v", status, o.Redelivered)
		}
	}
}

// TestALostAnswerChangesNothing refuses a move that an earlier commit has made.
func TestALostAnswerChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBook()
	id := events.NewID(1, 1)
	b.refuse[id] = true
	b.states[id] = events.State{Status: events.Enqueue, Attempt: 1}
	if got := handle(t, b, kind(errors.New("boom")), delivery(1, 0)); got[0] != queue.Retry {
		t.Errorf("outcome %v, want the retry that is in the ledger", got[0])
	}
}

// TestALostLeaseRecordsNothing takes the lease away during a run. Whatever the handler returns, the
// outcome is dropped.
func TestALostLeaseRecordsNothing(t *testing.T) {
	t.Parallel()
	for _, end := range []error{nil, errors.New("boom"), worker.Fail("X", "no")} {
		ctx, lose := context.WithCancelCause(t.Context())
		k := jobs.KindOf(worker.Define("k", func(context.Context, *worker.Job[none]) error {
			lose(queue.ErrLeaseLost)
			return end
		}))
		b := newBook()
		rec := middleware.NewRecorder(b, middleware.Options{})
		rec.Start()
		d := delivery(1, 0)
		if err := middleware.Track(k, rec).Handle(ctx, &queue.Batch{Deliveries: []*queue.Delivery{d}}); err != nil {
			t.Error(err)
		}
		rec.Stop(10 * time.Second)
		if o, _ := d.Outcome(); o.Kind != queue.Return || b.written() != nil {
			t.Errorf("handler said %v: outcome %v, writes %v; want neither", end, o.Kind, b.written())
		}
	}
}

func TestRedelivered(t *testing.T) {
	t.Parallel()
	id := events.NewID(1, 1)
	again := func() *queue.Delivery { d := delivery(1, 0); d.Redelivered = 1; return d }

	b := newBook()
	b.states[id] = events.State{Status: events.Finish, Attempt: 1}
	if got := handle(t, b, kind(), again()); got[0] != queue.Done || b.written() != nil {
		t.Errorf("at rest: %v, %v; want done, and no run", got, b.written())
	}

	b = newBook()
	b.states[id] = events.State{Status: events.Working, Attempt: 3}
	got := handle(t, b, kind(nil), again())
	want := []string{"1: working 3 > working 4", "1: working 4 > finish 4"}
	if diff := cmp.Diff(want, b.written()); got[0] != queue.Done || diff != "" {
		t.Errorf("given up for dead: %v (-want +got):\n%s", got, diff)
	}

	b = newBook()
	b.states[id] = events.State{Status: events.Working, Attempt: 3}
	b.refuse[id] = true
	if got := handle(t, b, kind(), again()); got[0] != queue.Return {
		t.Errorf("another was faster: %v, want return, and no run", got)
	}
}

func TestExhaustedJobsEndAsErrors(t *testing.T) {
	t.Parallel()
	b := newBook()
	b.states[events.NewID(1, 1)] = events.State{Status: events.Working, Attempt: 4}
	b.states[events.NewID(1, 2)] = events.State{Status: events.Finish, Attempt: 1}
	b.states[events.NewID(1, 3)] = events.State{Status: events.Enqueue, Attempt: 1} // resubmitted
	w := middleware.Track(kind(), middleware.NewRecorder(b, middleware.Options{}))
	w.Exhausted(t.Context(), []queue.DeadJob{
		{Payload: delivery(1, 0).Payload, Crashed: true},
		{Payload: delivery(2, 0).Payload, Crashed: true},
		{Payload: delivery(3, 0).Payload},
		{Payload: []byte("?"), Crashed: true},
	})
	if diff := cmp.Diff([]string{"1: working 4 > error 4"}, b.written()); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func TestABrokenPayloadGoesToTheMorgue(t *testing.T) {
	t.Parallel()
	d := &queue.Delivery{Key: "k", Payload: []byte("?"), RetryCount: -1}
	if got := handle(t, newBook(), kind(), d); got[0] != queue.Dead {
		t.Errorf("outcome %v, want dead", got[0])
	}
}

// TestRedelivered_CancelingTask_RecordSaysThatItMayHaveRun: the process of the job ended before or
// after the start was recorded.
func TestRedelivered_CancelingTask_RecordSaysThatItMayHaveRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from        events.Status
		redelivered int
		says        string
	}{
		{events.Enqueue, 1, "the handler may have taken effect"},
		{events.Working, 1, "the handler may have taken effect"},
		{events.Enqueue, 0, ""},
	} {
		b := newBook()
		b.states[events.NewID(1, 1)] = events.State{Status: c.from, Canceling: true}
		d := delivery(1, 0)
		d.Redelivered = c.redelivered
		if got := canceled(t, b, kind(), []string{"t"}, d); got[0] != queue.Done || len(b.moves) != 1 {
			t.Fatalf("%s: outcome %v, writes %v", c.from, got, b.written())
		}
		text := ""
		for _, n := range b.moves[0].Notes {
			text += n.Text
		}
		if !strings.Contains(text, c.says) || c.says == "" && text != "" {
			t.Errorf("%s, redelivered %d: noted %q, want %q", c.from, c.redelivered, text, c.says)
		}
	}
}
