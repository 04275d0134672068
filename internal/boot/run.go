package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/metrics"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowacts"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/internal/traces"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// app holds the open connections of a process, and the stores and clients that use them.
type app struct {
	cfg       settings.Config
	log       *slog.Logger
	db        *ledger.DB
	rdb       redis.UniversalClient
	restarts  queue.RestartDetector
	files     blobs.Store
	scratch   string // folder of temporary files
	kinds     *jobs.Registry
	tasks     *tasks.Store
	events    *events.Store
	notify    *notify.Store
	schedules *schedules.Store
	access    *access.Store
	replays   *idempotency.Store
	queue     *queue.Client
	metrics   *metrics.Set
	traces    *traces.Tracer          // nil without a collector
	working   atomic.Pointer[workers] // the workers that were started last; nil if none were

	ledgerReady, queueReady ping

	forwarder forwarder
	close     []func() error
}

// Run runs a process until `ctx` ends. If the process serves HTTP, its first line on stdout is "listening
// on http://" and the address. On SIGUSR1, it logs the stacks of all goroutines. If it runs workers, it
// collects garbage less often while it uses less than 128 MiB.
func Run(ctx context.Context, cfg settings.Config, role settings.Role, kinds settings.Kinds, stdout io.Writer, log *slog.Logger) error {
	if err := cfg.Check(role); err != nil {
		return err
	}
	defer dumpOnSignal(log)()
	if role.Workers = role.Workers || cfg.Embedded(); role.Workers {
		CollectRarely()
	}
	a, err := open(ctx, cfg, kinds, log)
	if err != nil && ctx.Err() != nil {
		return a.closeAll() // stopped before the start
	}
	if err != nil {
		return errors.Join(err, a.closeAll())
	}
	err = a.run(ctx, role, stdout)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // stopped during the start
	}
	if err = errors.Join(err, a.closeAll()); err == nil {
		log.Info("stopped: accepted tasks are stored and continue at the next start")
	}
	return err
}

// open opens all connections. Even after an error, the caller must call closeAll on the result.
func open(ctx context.Context, cfg settings.Config, kinds settings.Kinds, log *slog.Logger) (*app, error) {
	a := &app{cfg: cfg, log: log}
	ctx, cancel := context.WithTimeout(ctx, settings.OpenTimeout)
	defer cancel()
	if err := a.openFiles(ctx); err != nil {
		return a, err
	}
	log.Info("opening the ledger", "embedded", cfg.Embedded())
	var err error
	if a.db, err = cfg.OpenLedger(ctx); err != nil {
		return a, err
	}
	a.close = append(a.close, a.db.Close)
	rdb, closeRedis, err := cfg.OpenRedis(&a.restarts)
	if err != nil {
		return a, fmt.Errorf("redis: %w", err)
	}
	a.rdb = rdb
	a.close = append(a.close, closeRedis)
	if a.kinds, err = kinds(ctx, a.db); err != nil {
		return a, err
	}
	hours, err := cfg.Hours()
	if err != nil {
		return a, err
	}
	acts := &rowacts.Runner{}
	a.kinds = a.kinds.With(acts.Kind())
	a.kinds.SetHours(hours)
	a.tasks = tasks.New(a.db, tasks.Options{Now: a.db.Now, Hours: a.kinds.Hours()})
	a.events = events.New(a.db, events.Options{Now: a.db.Now, Silent: notify.WithoutCallback(a.kinds)})
	a.notify = notify.New(a.db, cfg.NotifyOptions(a.db))
	a.schedules = schedules.New(a.db, schedules.Options{Now: a.db.Now})
	a.access = access.New(a.db, access.Options{Now: a.db.Now})
	a.replays = idempotency.New(a.db, idempotency.Options{TTL: 2 * cfg.Lease, Now: a.db.Now})
	a.metrics = metrics.New(a.kinds.Names(), notify.Channels())
	a.queue = queue.NewClient(rdb, queue.ClientOptions{Prefix: cfg.Prefix, Queues: a.kinds.Queues(), Now: a.db.Now, Log: log})
	a.bindActs(acts)
	a.openPings()
	a.watch()
	a.openTraces()
	return a, nil
}

// bindActs sets the fields of `acts`, which need the opened connections.
func (a *app) bindActs(acts *rowacts.Runner) {
	acts.Tasks, acts.Kinds = a.tasks, a.kinds
	acts.Reviewer = review.New(a.events, a.kinds, review.Options{Now: a.db.Now})
	acts.Canceler = reconcile.NewRowCanceler(a.tasks, a.events, a.queue, reconcile.CancelerOptions{Grace: cancelGrace(a.cfg), Now: a.db.Now})
	acts.Wake = func(ctx context.Context) { _ = a.queue.Notify(ctx, jobs.FeedTopic) } // the feeder also polls
}

// closeAll closes all connections, the last opened first.
func (a *app) closeAll() error {
	var errs []error
	for i := len(a.close) - 1; i >= 0; i-- {
		errs = append(errs, a.close[i]())
	}
	return errors.Join(errs...)
}

// run starts the parts of the process that `role` selects, waits until `ctx` ends, and stops them.
func (a *app) run(ctx context.Context, role settings.Role, stdout io.Writer) error {
	if err := a.checkGuarded(ctx, role); err != nil {
		return err
	}
	a.logStart(role)
	stopMetrics, err := a.serveMetrics(ctx)
	if err != nil {
		return err
	}
	defer stopMetrics()
	if role.Workers {
		if err := a.kinds.Start(ctx); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		w := a.startWorkers()
		defer w.stop()
	}
	if role.API {
		return a.serve(ctx, stdout)
	}
	<-ctx.Done()
	return nil
}

// logStart logs the mode of the process. In the embedded mode it also logs the data folder, otherwise
// the parts that run.
func (a *app) logStart(role settings.Role) {
	if a.cfg.Embedded() {
		a.log.Info("embedded mode: this process runs everything and keeps its data in a folder; "+
			"for several processes, set DATABASE_URL and REDIS_URL", "data", a.cfg.DataDir)
		return
	}
	a.log.Info("starting", "api", role.API, "workers", role.Workers)
}
