package boot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/internal/reconcile"
)

// Verification is the command verify: see reconcile.VerifyOptions.
type Verification struct {
	Form
	Task   string `help:"Check only the task with this ID."`
	Repair bool   `help:"Repair the differences in transactions and print each repair."`
}

// ErrDifferences means that events, counts and Redis do not agree, and that some differences
// remain.
var ErrDifferences = errors.New("differences were found")

// Run compares events, counts and Redis, and prints the differences on stdout. It may run beside
// the service. In the embedded mode it runs only while the service is stopped, and without its
// Redis.
func (what Verification) Run(ctx context.Context, cfg Config, d Desk) error {
	if err := cfg.Check(Role{API: true}); err != nil {
		return err
	}
	if err := cfg.hasLedger(); err != nil {
		return err
	}
	a, err := open(ctx, cfg, d.Kinds, d.Log)
	if err == nil {
		err = a.verify(ctx, what, d)
	}
	return errors.Join(err, a.down())
}

// hasLedger returns an error if the embedded ledger does not exist. A new, empty ledger would hide
// a missing setting.
func (c Config) hasLedger() error {
	if !c.Embedded() {
		return nil
	}
	_, err := os.Stat(filepath.Join(c.DataDir, "rollcall.db"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no ledger in %s: "+
			"set DATABASE_URL and REDIS_URL, or DATA_DIR", c.DataDir)
	}
	return err
}

func (a *app) verify(ctx context.Context, what Verification, d Desk) error {
	p := newProgress(d.Stderr)
	v := reconcile.NewVerifier(a.tasks, a.events, a.queue, a.kinds, reconcile.VerifyOptions{
		Task: what.Task, Repair: what.Repair, LedgerOnly: a.cfg.Embedded(), Now: a.db.Now,
		OnDifference: func(one reconcile.Difference) {
			p.end()
			_ = what.tell(d.Stdout, difference(one), "%-36s  %-60s  %s", one.Task, one.What, one.Done) // the end reports the error
		},
		OnProgress: func(so reconcile.Report) {
			p.say("%d tasks, %d rows, %d jobs in Redis, %d differences", so.Tasks, so.Events, so.Jobs, so.Differences)
		},
	})
	out, err := v.Run(ctx)
	if p.end(); err != nil {
		return err
	}
	err = what.tell(d.Stdout, report(out), "%d tasks, %d rows, %d jobs in Redis: %d differences, %d of them mended%s",
		out.Tasks, out.Events, out.Jobs, out.Differences, out.Repaired, without(out.NoRedis))
	if err == nil && !out.OK() {
		err = ErrDifferences
	}
	return err
}

// without returns the note that Redis was left out.
func without(redis bool) string {
	if redis {
		return "\nRedis was not looked at: it is not the one that was fed, and will be fed what is not at rest"
	}
	return ""
}

// difference and report are the types of reconcile in the form of --json.
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
