package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// calls returns jobs as the queue passes them to a kind: those of a key adjacent, oldest first.
func calls(pairs ...string) []*jobs.Call {
	var out []*jobs.Call
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &jobs.Call{
			ID: fmt.Sprintf("t.%d", i/2+1), Key: pairs[i],
			Params: fmt.Appendf(nil, `{"State":%q}`, pairs[i+1]),
		})
	}
	return out
}

// outcomes returns the outcome of each job.
func outcomes(list []*jobs.Call) []string {
	var out []string
	for _, c := range list {
		err, own := c.Resolved()
		switch newer := c.SupersededBy(); {
		case newer != nil:
			out = append(out, "superseded by "+newer.ID)
		case own:
			out = append(out, err.Error())
		default:
			out = append(out, "as the handler")
		}
	}
	return out
}

func TestDefineBatch_JobsOfSeveralKeys_EachHasItsOutcome(t *testing.T) {
	t.Parallel()
	list := calls("o1", "new", "o1", "paid", "o2", "lost", "o3", "new")
	if err := jobs.KindOf(syncOrders).Run(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
	want := []string{"superseded by t.2", "as the handler", "ORDER_UNKNOWN: order o2 does not exist", "as the handler"}
	if diff := cmp.Diff(want, outcomes(list)); diff != "" {
		t.Error(diff)
	}
}

func TestLatest_JobsOfOneKey_HandlerGetsTheNewest(t *testing.T) {
	t.Parallel()
	var seen []string
	kind := jobs.KindOf(worker.Define("orders.latest", func(_ context.Context, job *worker.Job[order]) error {
		seen = append(seen, job.Args.State)
		return nil
	}, worker.Latest()))
	list := calls("o1", "new", "o1", "paid", "o1", "sent")
	if err := kind.Run(t.Context(), list...); err != nil || !slices.Equal(seen, []string{"sent"}) {
		t.Errorf("the handler got %q, %v", seen, err)
	}
	want := []string{"superseded by t.3", "superseded by t.3", "as the handler"}
	if diff := cmp.Diff(want, outcomes(list)); diff != "" {
		t.Error(diff)
	}
}

func TestTrack_False_RunsParamsWithoutColumns(t *testing.T) {
	t.Parallel()
	var seen string
	kind := jobs.KindOf(worker.Define("cache.warm", func(_ context.Context, job *worker.Job[order]) error {
		seen = job.Key + " " + job.Args.State
		return nil
	}, worker.Track(false)))
	err := kind.Run(t.Context(), calls("o1", "paid")...)
	if err != nil || seen != "o1 paid" || !kind.Untracked || kind.Schema != nil {
		t.Errorf("%q, %v, untracked %v", seen, err, kind.Untracked)
	}
}

// shown holds the progress of a job.
type shown struct {
	jobs.CallServices
	list []events.Progress
}

func (s *shown) Show(p events.Progress) { s.list = append(s.list, p) }

func TestCall_InAHandler_RecordsOnTheServicesCall(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("orders.pick", func(_ context.Context, job *worker.Job[order]) error {
		job.Note("warehouse chosen", "id", 7)
		job.Progress(10, 40, "page %d", 10)
		token, seq := job.Fence()
		return job.Result(map[string]int64{"token": token, "seq": seq})
	}))
	show := &shown{}
	call := &jobs.Call{ID: "t.1", Params: json.RawMessage(`{}`), Token: 4, Seq: 12, Services: show}
	err := kind.Run(t.Context(), call)
	if err != nil || !slices.Equal(call.Notes(), []string{"warehouse chosen id=7"}) || string(call.Kept()) != `{"seq":12,"token":4}` {
		t.Errorf("%v: notes %q, result %s", err, call.Notes(), call.Kept())
	}
	if want := []events.Progress{{Done: 10, Total: 40, Text: "page 10"}}; !slices.Equal(show.list, want) {
		t.Errorf("progress %+v", show.list)
	}
}

func TestClassify_ErrorsOfADriver_HaveTheirMeaning(t *testing.T) {
	t.Parallel()
	var next error
	insert := worker.Define("orders.insert", func(context.Context, *worker.Job[order]) error {
		return fmt.Errorf("insert: %w", next)
	}, worker.Classify(meaning))
	kind := jobs.KindOf(insert)
	for _, tt := range []struct {
		err  error
		want jobs.OutcomeKind
	}{
		{errDuplicate, jobs.Failed},
		{errBusy, jobs.Later},
		{errors.New("boom"), jobs.Retry},
		{worker.NoRetry(errBusy), jobs.Dead},
	} {
		next = tt.err
		if v := kind.ClassifyError(t.Context(), kind.Run(t.Context(), calls("o1", "new")...), nil); v.Kind != tt.want {
			t.Errorf("%v: %s, want %s", tt.err, v.Kind, tt.want)
		}
	}
	next = errBusy
	if _, err := insert.Call(t.Context(), order{"new"}); err == nil || errors.Is(err, errBusy) {
		t.Errorf("Call returned %v, want what the classifier made of it", err)
	}
}

func TestUse_OfAJob_GetsItsTenant(t *testing.T) {
	t.Parallel()
	var from any
	ship := jobs.KindOf(worker.Define("orders.ship", func(ctx context.Context, _ *worker.Job[order]) error {
		from = ctx.Value(cityKey{})
		return nil
	}, worker.Use(cityOf)))
	for tenant, want := range map[string]string{"acme": "", "globex": "NO_CITY: globex has no city"} {
		job := calls("o1", "paid")
		job[0].Tenant, from = tenant, nil
		text := ""
		if err := ship.Run(t.Context(), job...); err != nil {
			text = err.Error()
		}
		if text != want || (from == "Turin") != (want == "") {
			t.Errorf("%s: %q, from %v", tenant, text, from)
		}
	}
}

func TestCalls_BehindAMiddleware_AreThoseOfTheHandler(t *testing.T) {
	t.Parallel()
	made := &worker.Call{ID: "t.1", Kind: "k"}
	if got := worker.Calls(worker.WithCalls(t.Context(), made)); len(got) != 1 || got[0] != made {
		t.Errorf("Calls = %v", got)
	}
	list := calls("o1", "new")
	var inside *worker.Call
	kind := jobs.KindOf(worker.Define("k", func(_ context.Context, job *worker.Job[order]) error {
		inside = job.Call
		return nil
	}))
	ctx := jobs.WithCalls(t.Context(), list...)
	if err := kind.Run(ctx, list...); err != nil {
		t.Fatal(err)
	}
	if got := worker.Calls(ctx); len(got) != 1 || got[0] != inside || got[0].Key != "o1" {
		t.Errorf("Calls = %+v, the handler had %+v", got, inside)
	}
	if got := worker.Calls(t.Context()); got != nil {
		t.Errorf("without a batch: %v", got)
	}
}
