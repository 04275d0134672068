package boot

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// Verification is the command verify, which compares events, counts and Redis.
type Verification struct {
	settings.Form
	Task   string `help:"Check only the task with this ID."`
	Repair bool   `help:"Repair the differences in transactions and print each repair."`
}

// ErrDifferences means that differences between events, counts and Redis remain.
var ErrDifferences = errors.New("differences were found")

// Run compares events, counts and Redis, and prints the differences on stdout. With --repair, it also
// repairs them. It returns ErrDifferences if a difference remains. The service may run at the same time.
// Run leaves out Redis in the embedded mode, and if Redis lacks the generation mark of the ledger.
func (what Verification) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	if err := cfg.Check(settings.Role{API: true}); err != nil {
		return err
	}
	if err := cfg.HasLedger(); err != nil {
		return err
	}
	a, err := open(ctx, cfg, d.Kinds, d.Log)
	if err == nil {
		err = a.verify(ctx, what, d)
	}
	return errors.Join(err, a.closeAll())
}

func (a *app) verify(ctx context.Context, what Verification, d settings.Terminal) error {
	p := settings.NewProgress(d.Stderr)
	v := reconcile.NewVerifier(a.tasks, a.events, a.queue, a.kinds, reconcile.VerifyOptions{
		Task: what.Task, Repair: what.Repair, LedgerOnly: a.cfg.Embedded(), Now: a.db.Now,
		OnDifference: func(one reconcile.Difference) {
			p.End()
			_ = what.Print(d.Stdout, difference(one), "%-36s  %-60s  %s", one.Task, one.What, one.Done) // the last Print reports the error, too
		},
		OnProgress: func(so reconcile.Report) {
			p.Show("%d tasks, %d rows, %d jobs in Redis, %d differences", so.Tasks, so.Events, so.Jobs, so.Differences)
		},
	})
	out, err := v.Run(ctx)
	if p.End(); err != nil {
		return err
	}
	err = what.Print(d.Stdout, report(out), "%d tasks, %d rows, %d jobs in Redis: %d differences, %d of them repaired%s",
		out.Tasks, out.Events, out.Jobs, out.Differences, out.Repaired, noRedisNote(out.NoRedis, a.cfg.Embedded()))
	if err == nil && !out.OK() {
		err = ErrDifferences
	}
	return err
}

// noRedisNote returns the note that Redis was not compared, or "" if `left` is false.
func noRedisNote(left, embedded bool) string {
	switch {
	case !left:
		return ""
	case embedded:
		return "\nRedis was not compared: the embedded mode fills it at each start"
	}
	return "\nRedis was not compared, because it was emptied or restarted: a worker pushes all unfinished rows again; " +
		"then repeat the command"
}

// difference and report are copies of types of package reconcile. Their tags are the names for --json.
type (
	difference struct {
		Task string `json:"task"`
		What string `json:"what"`
		Done string `json:"done,omitempty"`
	}
	report struct {
		Tasks       int64 `json:"tasks"`
		Events      int64 `json:"rows"`
		Jobs        int64 `json:"jobs_in_redis"`
		Differences int64 `json:"differences"`
		Repaired    int64 `json:"mended"`
		NoRedis     bool  `json:"redis_left_out"`
	}
)
