package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// used registers a kind whose handler returns the n-th error at the n-th run, inside middlewares
// for all kinds.
func used(results []error, list ...queue.Middleware) jobs.Kind {
	kinds := jobs.NewRegistry(kind(results...))
	kinds.Use(list...)
	k, _ := kinds.Kind("k")
	return k
}

func TestUse_AnyOutcome_IsSeenWithKindAndKey(t *testing.T) {
	t.Parallel()
	var got []string
	note := func(next queue.Handler) queue.Handler {
		return func(ctx context.Context, b *queue.Batch) error {
			err := next(ctx, b)
			for _, c := range jobs.Calls(ctx) {
				got = append(got, fmt.Sprintf("%s %s %d %v", b.Queue, c.Key, len(b.Deliveries), c.Outcome(err)))
			}
			return err
		}
	}
	for _, err := range []error{nil, worker.Fail("GONE", "it is gone"), errors.New("no route"), worker.RetryAfter(time.Second, nil)} {
		handle(t, newBook(), used([]error{err}, note), delivery(1, 0))
	}
	want := []string{"k k 1 <nil>", "k k 1 GONE: it is gone", "k k 1 no route"}
	if diff := cmp.Diff(want, got[:3]); diff != "" || len(got) != 4 {
		t.Errorf("seen (-want +got):\n%s\n%q", diff, got)
	}
}

func TestUse_SeveralMiddlewares_FirstIsOutermost(t *testing.T) {
	t.Parallel()
	var got []string
	trace := func(name string) queue.Middleware {
		return func(next queue.Handler) queue.Handler {
			return func(ctx context.Context, b *queue.Batch) error {
				got = append(got, name)
				defer func() { got = append(got, name+" left") }()
				return next(ctx, b)
			}
		}
	}
	handle(t, newBook(), used([]error{nil}, trace("outer"), trace("inner")), delivery(1, 0))
	if want := []string{"outer", "inner", "inner left", "outer left"}; !slices.Equal(got, want) {
		t.Errorf("order = %q", got)
	}
}

func TestUse_MiddlewareFails_IsASystemFaultOfTheJob(t *testing.T) {
	t.Parallel()
	before := func(f func() error) queue.Middleware {
		return func(queue.Handler) queue.Handler {
			return func(context.Context, *queue.Batch) error { return f() }
		}
	}
	after := func(next queue.Handler) queue.Handler {
		return func(ctx context.Context, b *queue.Batch) error {
			return errors.Join(next(ctx, b), errors.New("commit refused"))
		}
	}
	for name, tt := range map[string]struct {
		use  queue.Middleware
		text string
	}{
		"error instead of the handler": {before(func() error { return errors.New("no locale") }), "no locale"},
		"panic instead of the handler": {before(func() error { panic("out of ink") }), "panic: out of ink"},
		"panic with a failure":         {before(func() error { panic(worker.Fail("GONE", "it is gone")) }), "panic: GONE"},
		"error behind the handler":     {after, "commit refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBook()
			got := handle(t, b, used([]error{nil}, tt.use), delivery(1, 0))
			if !slices.Equal(got, []queue.Kind{queue.Retry}) {
				t.Errorf("the queue is to do %v", got)
			}
			if w := b.written(); !slices.Equal(w, []string{"1: enqueue 0 > enqueue 1"}) {
				t.Fatalf("written: %q", w)
			}
			note := b.moves[0].Notes[len(b.moves[0].Notes)-1]
			if !strings.HasPrefix(note.Text, tt.text) || strings.HasPrefix(tt.text, "panic") != (note.Stack != "") {
				t.Errorf("note: %+v", note)
			}
		})
	}
}

func TestUse_HandlerPanics_IsAnErrorForTheMiddleware(t *testing.T) {
	t.Parallel()
	var seen error
	note := func(next queue.Handler) queue.Handler {
		return func(ctx context.Context, b *queue.Batch) error {
			seen = next(ctx, b)
			return seen
		}
	}
	b := newBook()
	handle(t, b, used(nil, note), delivery(1, 0)) // the handler has no result to return, and panics
	var p *queue.PanicError
	if !errors.As(seen, &p) || len(b.moves) != 1 || b.moves[0].Notes[0].Stack == "" {
		t.Errorf("seen: %v, written: %+v", seen, b.moves)
	}
}

func TestUse_UntrackedKind_IsWrappedToo(t *testing.T) {
	t.Parallel()
	bare := kind(nil)
	bare.Untracked = true
	kinds := jobs.NewRegistry(bare)
	kinds.Use(func(queue.Handler) queue.Handler {
		return func(context.Context, *queue.Batch) error { return errors.New("no locale") }
	})
	k, _ := kinds.Kind("k")
	d := &queue.Delivery{Key: "acme/k", Payload: []byte("{}"), RetryCount: -1}
	if got := handle(t, newBook(), k, d); !slices.Equal(got, []queue.Kind{queue.Retry}) {
		t.Errorf("the queue is to do %v", got)
	}
}
