package boot

import (
	"context"
	"log/slog"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/traces"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/web"
)

// tracedRows is how many rows, from the first row of a traced task, have all their runs traced. Of later
// rows, runs with the outcome finish are not traced.
const tracedRows = 100

// openTraces starts tracing if a collector is configured.
func (a *app) openTraces() {
	if a.cfg.TraceTo == "" {
		return
	}
	a.traces = traces.New(traces.Options{
		Endpoint: a.cfg.TraceTo, Headers: a.cfg.TraceHeaders, Service: a.cfg.TraceName,
		Share: a.cfg.TraceShare, Log: a.log,
	})
	a.close = append(a.close, a.traces.Close)
}

// traceServed starts the trace of a task with the span of the request that has created the task. It ignores
// requests that create no task.
func (a *app) traceServed(r web.Served) {
	page := r.Route == "/imports" || r.Route == "/exports"
	made := r.Method == "POST" && !r.Replayed &&
		(r.Route == "/api/v1/tasks" && r.Status/100 == 2 || page && r.Status/100 == 3)
	if a.traces == nil || !made {
		return
	}
	a.traces.Accepted(traces.Span{
		Task: path.Base(r.Location), Name: "accept", Began: time.Now().Add(-r.Took), Took: r.Took,
		Facts: []slog.Attr{slog.Int("http.response.status_code", r.Status), slog.String("http.route", r.Route)},
	}, r.Traceparent)
}

// onSplit traces the reading of a file.
func (a *app) onSplit(s importers.Split) {
	span := traces.Span{Task: s.TaskID, Name: "split", Began: s.Began, Took: s.Took}
	if s.Err != nil {
		span.Fault = s.Err.Error()
	}
	a.traces.Did(span)
}

// onStep traces a step of an export: the plan of its parts, or the merge of their files.
func (a *app) onStep(s exporters.Step) {
	span := traces.Span{Task: s.TaskID, Name: s.Name, Began: s.Began, Took: s.Took}
	if s.Err != nil {
		span.Fault = s.Err.Error()
	}
	a.traces.Did(span)
}

// traceFed traces a push of jobs, in the traces of all their tasks.
func (a *app) traceFed(f feed.Pushed) {
	if a.traces == nil {
		return
	}
	for task, jobs := range f.Jobs {
		a.traces.Did(traces.Span{
			Task: task, Name: "feed", Began: f.Began, Took: f.Took, Facts: []slog.Attr{slog.Int("jobs", jobs)},
		})
	}
}

// traceAttempt traces an attempt to deliver a notification.
func (a *app) traceAttempt(t notify.AttemptReport) {
	a.traces.Did(traces.Span{
		Task: t.Claim.Task.ID, Name: "notify", Began: time.Now().Add(-t.Took), Took: t.Took, Fault: t.Err,
		Facts: []slog.Attr{
			slog.String("channel", string(t.Claim.Channel)), slog.String("topic", t.Claim.Topic),
			slog.String("state", t.State), slog.Int("http.response.status_code", t.Status),
		},
	})
}

// spanStarter returns a function that starts the span of a handler's call, or nil without tracing. The
// function starts a span only if the first job of the call is among the first tracedRows rows of its task.
func (a *app) spanStarter() func(context.Context, []*jobs.Call) context.Context {
	if a.traces == nil {
		return nil
	}
	return func(ctx context.Context, calls []*jobs.Call) context.Context {
		c := calls[0]
		if !early(c.ID) {
			return ctx
		}
		return a.traces.Begin(ctx, traces.Span{Task: c.TaskID, Name: "job", Began: time.Now()}, c.ID)
	}
}

// early reports whether a job is one of the first tracedRows rows of its task.
func early(job string) bool {
	_, seq, _ := strings.Cut(job, ".")
	n, err := strconv.Atoi(seq)
	return err == nil && n <= tracedRows
}

// traceRan traces a run of a handler that has ended.
func (a *app) traceRan(ctx context.Context, r middleware.FinishedRun) {
	if a.traces == nil || r.Call.TaskID == "" {
		return
	}
	s := traces.Span{
		Task: r.Call.TaskID, Name: "job", Began: time.Now().Add(-r.Took), Took: r.Took, Fault: r.Fault,
		Facts: append(aboutJob(r.Call), slog.String("state", r.Outcome), slog.String("code", r.Code)),
	}
	if a.traces.End(ctx, s, r.Call.ID) || r.Outcome == "finish" && !early(r.Call.ID) {
		return
	}
	a.traces.Did(s)
}
