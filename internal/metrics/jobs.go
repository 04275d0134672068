package metrics

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Run is one run of a handler for one job.
type Run struct {
	Kind    string
	Outcome string        // finish, failed, retry, error, snooze, interrupted or lost
	Code    string        // of a failure; may be empty
	Wait    time.Duration // from the due time to the call of the handler; not counted if negative
	Took    time.Duration // of the handler
}

// Refused counts a job of a known kind that a limit has refused.
func (s *Set) Refused(kind string) { s.refusals.WithLabelValues(kind).Inc() }

// maxCodes is how many codes of a kind have their own label. All further codes share the label of the
// constant `other`.
const (
	maxCodes = 100
	other    = "OTHER"
)

// jobs holds the metrics of handlers.
type jobs struct {
	byKind map[string]*kind // never changes
	rest   *kind            // for unknown kinds
}

// kind holds the metrics of one kind.
type kind struct {
	wait, run prometheus.Observer
	outcomes  *prometheus.CounterVec
	finished  prometheus.Counter

	mu    sync.Mutex
	codes map[string]bool
}

func newJobs(r *prometheus.Registry, kinds []string) jobs {
	wait := histogram(r, "job_wait_seconds",
		"Time from when a job was due in Redis until its handler was called. It grows when workers are too few.",
		seconds(time.Millisecond, 10*time.Millisecond, 100*time.Millisecond, 300*time.Millisecond, time.Second,
			3*time.Second, 10*time.Second, 30*time.Second, time.Minute, 5*time.Minute, 30*time.Minute, 2*time.Hour),
		"kind")
	run := histogram(r, "job_run_seconds", "Run time of the handler of a job.",
		seconds(time.Millisecond, 3*time.Millisecond, 10*time.Millisecond, 30*time.Millisecond, 100*time.Millisecond,
			300*time.Millisecond, time.Second, 3*time.Second, 10*time.Second, time.Minute, 10*time.Minute), "kind")
	outcomes := counter(r, "job_runs_total", "Runs of jobs that have ended, by outcome: "+
		"finish, failed (the row is wrong), retry (system fault, retried), error (given up), snooze, interrupted, "+
		"lost (the lease went to another worker).", "kind", "outcome", "code")
	out := jobs{byKind: make(map[string]*kind, len(kinds))}
	for _, name := range slices.Concat(kinds, []string{other}) {
		k := &kind{
			wait: wait.WithLabelValues(name), run: run.WithLabelValues(name), codes: map[string]bool{},
			outcomes: outcomes.MustCurryWith(prometheus.Labels{"kind": name}),
		}
		k.finished = k.outcomes.WithLabelValues("finish", "")
		out.byKind[name] = k
	}
	out.rest = out.byKind[other]
	return out
}

// Ran counts a run.
func (s *Set) Ran(r Run) {
	k := s.jobs.byKind[r.Kind]
	if k == nil {
		k = s.jobs.rest
	}
	if r.Wait >= 0 {
		k.wait.Observe(r.Wait.Seconds())
	}
	k.run.Observe(r.Took.Seconds())
	if r.Outcome == "finish" {
		k.finished.Inc()
		return
	}
	k.outcomes.WithLabelValues(r.Outcome, k.bounded(r.Code)).Inc()
}

// bounded returns the label of a code: the code itself or, if maxCodes codes of the kind have a label
// already, the constant `other`.
func (k *kind) bounded(code string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if code == "" || k.codes[code] {
		return code
	}
	if len(k.codes) >= maxCodes {
		return other
	}
	k.codes[code] = true
	return code
}
