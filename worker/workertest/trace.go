package workertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// visit is one run of one job.
type visit struct {
	call  *jobs.Call
	batch int  // number of the handler's call
	begun int  // index among the beginnings and ends of all calls
	ended int  // 0 while the job runs
	again bool // the test has redelivered the job
}

// job returns the id of the job, or "" for an untracked kind.
func (v *visit) job() string { return v.call.ID }

// trace holds the runs of the handlers of all kinds, in the order of their starts.
type trace struct {
	mu     sync.Mutex
	visits []*visit
	steps  int
	calls  int
	again  map[string]int // number of expected redeliveries of each job that have not begun
}

func newTrace() *trace { return &trace{again: map[string]int{}} }

// of returns a registry with the kinds of the argument `kinds`. The trace records the runs of the handlers of
// the new registry.
func (tr *trace) of(kinds *worker.Registry) *jobs.Registry {
	var out []jobs.Kind
	for _, k := range jobs.RegistryOf(kinds).Kinds() {
		run := k.Run
		k.Run = func(ctx context.Context, calls ...*jobs.Call) error {
			defer tr.begin(calls)()
			return run(ctx, calls...)
		}
		out = append(out, k)
	}
	return jobs.NewRegistry(out...)
}

func (tr *trace) begin(calls []*jobs.Call) (end func()) {
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

// busy describes the running jobs. It returns "" if no job runs.
func (tr *trace) busy() string {
	var out []string
	for _, v := range tr.running() {
		out = append(out, fmt.Sprintf("%s runs %s, key %q", v.call.Kind, v.job(), v.call.Key))
	}
	return strings.Join(out, ", ")
}

// jobs returns the visit of the last run of each tracked job that is not running, in the order of these
// runs.
func (tr *trace) jobs() []*visit {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	var out []*visit
	seen := map[string]bool{}
	for _, v := range slices.Backward(tr.visits) {
		if seen[v.job()] || v.call.TaskID == "" {
			continue
		}
		if seen[v.job()] = true; v.ended > 0 {
			out = append(out, v)
		}
	}
	slices.Reverse(out)
	return out
}

// expect records that the jobs in `list` will be redelivered.
func (tr *trace) expect(list []*visit) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, v := range list {
		tr.again[v.job()]++
	}
}

// allRerun reports whether all redelivered jobs have run again to their end.
func (tr *trace) allRerun() bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, n := range tr.again {
		if n > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(tr.visits, func(v *visit) bool { return v.again && v.ended == 0 })
}
