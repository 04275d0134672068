package boot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rollcall-dev/rollcall/internal/doctor"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/queue"
)

// Operator holds the commands for operators, which both programs have. The library kong reads its tags.
type Operator struct {
	Doctor  doctor.Checkup `cmd:"" help:"Check database, Redis, files and settings, and print what to fix; exit code 1 if a check fails."`
	Migrate Migration      `cmd:"" help:"Apply pending migrations of the database; every start does this too."`
	Verify  Verification   `cmd:"" help:"Compare rows, counts and Redis; exit code 1 if they differ."`
	Rebuild Rebuilding     `cmd:"" help:"Rebuild Redis from the database: all unfinished rows are pushed again. No row is lost; no job runs for the length of a lease."`
	Reshard Resharding     `cmd:"" help:"Change the number of shards of a running queue."`
	Reseal  Resealing      `cmd:"" help:"Encrypt the signing secrets of webhooks with the first key of SECRET_KEYS, also while the service runs."`
	Drain   Draining       `cmd:"" help:"Drain a worker: it finishes its jobs and hands its shards to other workers. Without a name, list the workers."`
}

// Migration is the command migrate.
type Migration struct {
	settings.Form
	Check bool `help:"Change nothing; exit code 1 if migrations are pending, or this program cannot use the schema."`
}

// ErrSchemaBehind means that the schema of the database is older than the schema of this program.
var ErrSchemaBehind = errors.New("the schema is older than this program: run migrate, or start the service")

// Run migrates the database. With --check, it only compares the schema, and returns ErrSchemaBehind
// if the schema is older.
func (m Migration) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	if err := errors.Join(cfg.CheckLedger(), cfg.HasLedger()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, migrateTimeout)
	defer cancel()
	from, to, err := m.versions(ctx, cfg)
	if err != nil {
		return err
	}
	object := map[string]any{"from": from, "to": to, "changed": from < to && !m.Check}
	words := "the schema has version %d, this program version %d"
	if !m.Check {
		words = "version of the schema before: %d, now: %d"
	}
	if err := m.Print(d.Stdout, object, words, from, to); err != nil || !m.Check || from >= to {
		return err
	}
	return ErrSchemaBehind
}

// migrateTimeout is the time limit of the command migrate.
const migrateTimeout = 30 * time.Minute

func (m Migration) versions(ctx context.Context, cfg settings.Config) (from, to int64, err error) {
	if !m.Check {
		return ledger.Migrate(ctx, cfg.LedgerURL(), cfg.LedgerOptions())
	}
	c, err := ledger.Inspect(ctx, cfg.LedgerURL(), cfg.LedgerOptions())
	return c.Schema, c.Known, cmp.Or(err, c.Fault)
}

// errEmbedded means that a command needs a shared Redis, but Redis runs inside the process of the
// service.
var errEmbedded = errors.New("this command needs a shared Redis: set DATABASE_URL and REDIS_URL. " +
	"The embedded mode runs Redis inside the service and fills it at each start")

// onQueues opens the connections of the service, and calls `f`. It closes the connections after `f`. In
// the embedded mode it returns errEmbedded, because only the service itself can reach its embedded
// Redis.
func onQueues(ctx context.Context, cfg settings.Config, d settings.Terminal, f func(*app) error) error {
	if cfg.Embedded() {
		return errEmbedded
	}
	if err := cfg.Check(settings.Role{API: true}); err != nil {
		return err
	}
	a, err := open(ctx, cfg, d.Kinds, d.Log)
	if err == nil {
		err = f(a)
	}
	return errors.Join(err, a.closeAll())
}

// checkEvery is the interval at which a command checks whether its work is done.
const checkEvery = 300 * time.Millisecond

// waitUntil calls `done` every checkEvery. It returns when `done` returns true or an error, or when `ctx`
// ends.
func waitUntil(ctx context.Context, done func() (bool, error)) error {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// Rebuilding is the command rebuild.
type Rebuilding struct {
	settings.Form
	Wait time.Duration `default:"1m" help:"How long to wait for the workers to start; 0: do not wait."`
}

// ErrNotBegun means that no worker has started the requested work within Rebuilding.Wait.
var ErrNotBegun = errors.New("no worker has started the rebuild yet: start a worker, which then rebuilds Redis")

// Run removes the generation mark from Redis, and waits up to r.Wait until a worker has set a new one
// and starts to fill Redis. It returns ErrNotBegun if no worker has done so by then. If r.Wait is 0, it
// does not wait, and returns nil.
func (r Rebuilding) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return onQueues(ctx, cfg, d, func(a *app) error {
		if err := a.queue.SetGeneration(ctx, ""); err != nil {
			return err
		}
		p := settings.NewProgress(d.Stderr)
		defer p.End()
		bounded, cancel := context.WithTimeout(ctx, r.Wait)
		defer cancel()
		err := waitUntil(bounded, func() (bool, error) {
			p.Show("waiting for a worker and for the end of earlier leases")
			mark, err := a.queue.Generation(bounded)
			return mark != "", err
		})
		if err != nil && bounded.Err() == nil {
			return fmt.Errorf("redis is marked as empty, but the wait for a worker failed: %w", err)
		}
		begun := err == nil
		if err := r.Print(d.Stdout, map[string]any{"asked": true, "begun": begun}, "%s", rebuilt(begun)); err != nil {
			return err
		}
		if !begun && r.Wait > 0 {
			return ErrNotBegun
		}
		return nil
	})
}

func rebuilt(begun bool) string {
	if begun {
		return "a worker has started the rebuild: it pushes all unfinished rows again, task by task"
	}
	return "Redis is marked as empty: the next worker that polls pushes all unfinished rows again"
}

// Resharding is the command reshard.
type Resharding struct {
	settings.Form
	Queue  string        `arg:"" help:"Name of the queue, which is the name of its kind."`
	Shards int           `arg:"" help:"New number of shards."`
	Wait   time.Duration `default:"1m" help:"How long to wait until the keys have moved; 0: do not wait."`
}

// Run changes the number of shards of a queue, and waits up to r.Wait until the keys have moved.
func (r Resharding) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return onQueues(ctx, cfg, d, func(a *app) error {
		admin := a.queue.Admin()
		before, err := admin.Stats(ctx, r.Queue)
		if err != nil {
			return err
		}
		if err := admin.Reshard(ctx, r.Queue, r.Shards); err != nil {
			return err
		}
		p := settings.NewProgress(d.Stderr)
		defer p.End()
		bounded, cancel := context.WithTimeout(ctx, r.Wait)
		defer cancel()
		var st queue.QueueStats
		err = waitUntil(bounded, func() (bool, error) {
			st, err = admin.Stats(ctx, r.Queue)
			p.Show("%d shards hold keys, %d keys wait", len(st.Shards), st.Length)
			return !st.Resharding, err
		})
		if err != nil && bounded.Err() == nil {
			return err
		}
		return r.Print(d.Stdout, map[string]any{
			"queue": r.Queue, "shards": r.Shards, "done": !st.Resharding,
		}, "%s had %d shards and now has %d%s", r.Queue, len(before.Shards), r.Shards, moving(st.Resharding))
	})
}

func moving(still bool) string {
	if still {
		return "; its keys are still moving in the background"
	}
	return ""
}

// Draining is the command drain.
type Draining struct {
	settings.Form
	Node string        `arg:"" optional:"" help:"Name of the worker, from the list."`
	Undo bool          `help:"Undrain the worker: it takes shards again."`
	Wait time.Duration `default:"1m" help:"How long to wait until the worker holds no shards; 0: do not wait."`
}

// Run drains a worker, and waits up to r.Wait until the worker holds no jobs and no shards. With --undo, it
// ends the draining. Without a name, it lists the workers.
func (r Draining) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return onQueues(ctx, cfg, d, func(a *app) error {
		admin := a.queue.Admin()
		switch {
		case r.Node == "":
			nodes, err := admin.Nodes(ctx)
			for _, n := range nodes {
				err = errors.Join(err, r.show(d.Stdout, n))
			}
			return err
		case r.Undo:
			return admin.Undrain(ctx, r.Node)
		}
		if n, err := nodeOf(ctx, admin, r.Node); err != nil || n == nil {
			return cmp.Or(err, fmt.Errorf("no worker named %q is alive", r.Node))
		}
		if err := admin.Drain(ctx, r.Node); err != nil {
			return err
		}
		return r.await(ctx, admin, d)
	})
}

// await waits until a draining worker holds no jobs and no shards, or is no longer alive. It waits for at
// most r.Wait.
func (r Draining) await(ctx context.Context, admin *queue.Admin, d settings.Terminal) error {
	p := settings.NewProgress(d.Stderr)
	defer p.End()
	bounded, cancel := context.WithTimeout(ctx, r.Wait)
	defer cancel()
	last := queue.NodeReport{Name: r.Node, Draining: true}
	err := waitUntil(bounded, func() (bool, error) {
		n, err := nodeOf(ctx, admin, r.Node)
		if err != nil || n == nil {
			return n == nil, err
		}
		last = *n
		p.Show("%d jobs in flight, %d shards", n.InFlight, doctor.ShardsOf(n))
		return n.Draining && n.InFlight == 0 && len(n.Shards) == 0, nil
	})
	if err != nil && bounded.Err() == nil {
		return err
	}
	return r.show(d.Stdout, last)
}

func (r Draining) show(w io.Writer, n queue.NodeReport) error {
	state := "works"
	if n.Draining {
		state = "drains"
	}
	return r.Print(w, n, "%-40s  %-6s  %4d of %d calls, %5d jobs in flight, %3d shards",
		n.Name, state, n.Running, n.Concurrency, n.InFlight, doctor.ShardsOf(&n))
}

// nodeOf returns the live worker with this name, or nil if there is none.
func nodeOf(ctx context.Context, admin *queue.Admin, name string) (*queue.NodeReport, error) {
	nodes, err := admin.Nodes(ctx)
	for i := range nodes {
		if nodes[i].Name == name {
			return &nodes[i], nil
		}
	}
	return nil, err
}
