package worker

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// Submission is new work. A middleware may change Name, Labels and Priority.
type Submission struct {
	Source       string // "job", "task"; of the API "import", "batch" (an open task) or "export"
	Name         string
	Labels       map[string]string
	Priority     int
	Kind, Tenant string
}

// Submit is a function that stores work, for EnqueueTx in its transaction.
type Submit func(ctx context.Context, s *Submission) error

// ClientMiddleware wraps Submit. The API responds with a *Failure from it.
type ClientMiddleware func(next Submit) Submit

// UseClient adds middlewares for each Submit by this program or the API.
func (r *Registry) UseClient(list ...ClientMiddleware) {
	for _, m := range list {
		r.kinds.OnSubmit(func(next jobs.Submit) jobs.Submit {
			wrapped := m(func(ctx context.Context, s *Submission) error { return next(ctx, (*jobs.Submission)(s)) })
			return func(ctx context.Context, s *jobs.Submission) error { return wrapped(ctx, (*Submission)(s)) }
		})
	}
}

// OnStart makes each process call f before its workers start.
func (r *Registry) OnStart(f func(ctx context.Context) error) { r.kinds.OnStart(f) }

// OnStop makes each process call f after its handlers end. All f share 10 s.
func (r *Registry) OnStop(f func(ctx context.Context) error) { r.kinds.OnStop(f) }
