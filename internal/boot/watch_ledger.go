package boot

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/tasks"
)

var ledgerFigures = []metrics.Figure{
	{
		Name: "rows_waiting", Labels: []string{"kind"},
		Help: "Rows that may run and have not started, in the ledger and in Redis.",
	},
	{
		Name: "rows_wait_seconds", Labels: []string{"kind"},
		Help: "Waiting time of the oldest row that may run, in the ledger or in Redis.",
	},
	{Name: "tasks_undone", Help: "Tasks that may run and are not done.", Labels: []string{"kind", "status"}},
	{Name: "rows_waiting_age_seconds", Help: "Age of the counts rows_waiting and tasks_undone, in seconds."},
}

func (a *app) collectLedger(ctx context.Context, observe metrics.Observe) error {
	counted, err := a.tasks.CountedBacklog(ctx)
	if err != nil {
		return err
	}
	lags, err := a.tasks.Lags(ctx)
	if err != nil {
		return err
	}
	a.observeBacklog(counted.Value, observe)
	observe("rows_waiting_age_seconds", max(0, a.db.Now().Sub(counted.At)).Seconds())
	for _, kind := range a.kinds.Names() {
		observe("rows_wait_seconds", a.lag(ctx, kind, lags[kind]).Seconds(), kind)
	}
	return nil
}

// lag returns how long the oldest runnable row of a kind has waited, in the ledger or in Redis. If Redis is
// unreachable, lag considers only the ledger.
func (a *app) lag(ctx context.Context, kind string, inLedger time.Duration) time.Duration {
	st, err := a.queue.Stats(ctx, kind)
	if err != nil {
		return inLedger
	}
	return max(inLedger, st.Lag)
}

// observeBacklog reports the numbers of unfinished tasks and of waiting rows. It reports 0 for
// kinds without unfinished tasks.
func (a *app) observeBacklog(list []tasks.Backlog, observe metrics.Observe) {
	type group struct{ kind, status string }
	undone, waiting := map[group]int64{}, map[string]int64{}
	for _, kind := range a.kinds.Names() {
		waiting[kind] = 0
		undone[group{kind, string(tasks.Running)}] = 0
	}
	for _, b := range list {
		undone[group{b.Kind, string(b.Status)}] += b.Tasks
		waiting[b.Kind] += b.Rows
	}
	for g, n := range undone {
		observe("tasks_undone", float64(n), g.kind, g.status)
	}
	for kind, n := range waiting {
		observe("rows_waiting", float64(n), kind)
	}
}
