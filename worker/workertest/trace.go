package workertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rollcall-dev/rollcall/worker"
)

// visit is one run of one job.
type visit struct {
	call  *worker.Call
	batch int  // calls of the handler are numbered
	begun int  // place among all begins and ends
	ended int  // 0 while it runs
	again bool // it was delivered again on purpose
}

// job names the job of a visit; those of untracked kinds have no name.
func (v *visit) job() string { return v.call.ID }

// trace is what the handlers of all kinds have run, in order.
type trace struct {
	mu     sync.Mutex
	visits []*visit
	steps  int
	calls  int
	again  map[string]int // jobs that were delivered again, and how often
}

func newTrace() *trace { return &trace{again: map[string]int{}} }

// traced is a kind whose runs are traced.
type traced struct{ kind worker.Kind }

func (t traced) Kind() worker.Kind { return t.kind }

// of is a registry with all runs traced.
func (tr *trace) of(kinds *worker.Registry) *worker.Registry {
	var defs []worker.Definer
	for _, k := range kinds.Kinds() {
		run := k.Run
		k.Run = func(ctx context.Context, calls ...*worker.Call) error {
			defer tr.begin(calls)()
			return run(ctx, calls...)
		}
		defs = append(defs, traced{k})
	}
	return worker.NewRegistry(defs...)
}

func (tr *trace) begin(calls []*worker.Call) (end func()) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.steps, tr.calls = tr.steps+1, tr.calls+1
	var list []*visit
	for _, c := range calls {
		v := &visit{call: c, batch: tr.calls, begun: tr.steps}
		if tr.again[v.job()] > 0 {
			tr.again[v.job()]--
			v.again = true
		}
		list = append(list, v)
	}
	tr.visits = append(tr.visits, list...)
	return func() {
		tr.mu.Lock()
		defer tr.mu.Unlock()
		tr.steps++
		for _, v := range list {
			v.ended = tr.steps
		}
	}
}

// running are the runs under way.
func (tr *trace) running() []*visit {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var out []*visit
	for _, v := range tr.visits {
		if v.ended == 0 {
			out = append(out, v)
		}
	}
	return out
}

// busy tells what runs, "" if nothing does.
func (tr *trace) busy() string {
	var out []string
	for _, v := range tr.running() {
		out = append(out, fmt.Sprintf("%s runs %s, key %q", v.call.Kind, v.job(), v.call.Key))
	}
	return strings.Join(out, ", ")
}

// jobs are the last visits of all jobs of tasks that have run, in the order of
// these.
func (tr *trace) jobs() []*visit {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var out []*visit
	seen := map[string]bool{}
	for _, v := range slices.Backward(tr.visits) {
		if !seen[v.job()] && v.ended > 0 && v.call.TaskID != "" {
			seen[v.job()] = true
			out = append(out, v)
		}
	}
	slices.Reverse(out)
	return out
}

// expect notes that jobs are delivered again.
func (tr *trace) expect(list []*visit) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, v := range list {
		tr.again[v.job()]++
	}
}

// settled tells that what was delivered again has run, and nothing runs.
func (tr *trace) settled() bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, n := range tr.again {
		if n > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(tr.visits, func(v *visit) bool { return v.again && v.ended == 0 })
}
