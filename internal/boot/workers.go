package boot

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/internal/version"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
)

// window and embeddedWindow are the greatest number of rows of a lane that Redis holds. embeddedWindow is
// smaller, because the embedded Redis sorts a whole set at each read.
const (
	window         = 10_000
	embeddedWindow = 1_000
)

// handlerGrace returns how long running handlers may continue after a stop.
func handlerGrace(c settings.Config) time.Duration { return cmp.Or(c.StopTimeout, 25*time.Second) }

// sweepEvery is the interval at which orphaned files are deleted. A file without a task counts as orphaned
// after orphanAge. Before, it may belong to an upload that is still running.
const (
	sweepEvery = time.Hour
	orphanAge  = 24 * time.Hour
)

// workers holds the parts of a process that run jobs.
type workers struct {
	server    *queue.Server
	sweeper   *reconcile.Sweeper
	recorder  *middleware.Recorder
	cancel    context.CancelFunc
	loops     sync.WaitGroup
	runOnStop func() // runs the functions of OnStop
}

// cancelGrace returns the time between the cancel of a task and the cancel of its pushed rows. Within this
// time, workers may still start pushed rows without a check in the ledger. Their last poll may have been
// before the cancel. One second is added for a commit.
func cancelGrace(c settings.Config) time.Duration { return feed.PollValidity(c.Poll) + time.Second }

func (a *app) startWorkers() *workers {
	ctx, cancel := context.WithCancel(context.Background())
	w := &workers{cancel: cancel, runOnStop: a.runOnStop}
	feeding := a.feeding()
	feeding.OnCanceling = func(taskIDs []string) { w.recorder.Cancel(taskIDs) }
	feeder := feed.NewFeeder(a.tasks, a.events, a.queue, a.kinds, feeding)
	a.restarts.OnNewServer(feeder.Invalidate)
	canceler := reconcile.NewCanceler(a.tasks, a.events, a.queue, reconcile.CancelerOptions{
		Grace: cancelGrace(a.cfg), Log: a.log,
	})
	deliverer := notify.NewDeliverer(a.notify, a.events, a.kinds, a.delivering())
	parts := exporters.NewParts(a.tasks, a.files)
	runner := exporters.NewRunner(a.tasks, a.events, parts, a.kinds, exporters.RunnerOptions{
		Added: func() { feeder.Wake(); deliverer.Wake() }, Stepped: a.onStep, Poll: a.cfg.Poll, Log: a.log,
	})
	w.recorder = middleware.NewRecorder(a.events, middleware.Options{
		Parts: parts, Worker: processName(), Build: buildOf(a.cfg.Build), Client: a.client(),
		OnCommit: func() { feeder.Wake(); deliverer.Wake(); runner.Committed() }, CheckGeneration: feeder.CheckGeneration, Now: a.db.Now, Log: a.log,
		Attest: feeder.Attest, SetBack: feeder.Invalidate,
		Permits: queue.NewPermits(a.queue, a.cfg.Lease), OnRefused: a.metrics.Refused,
		OnStart: a.spanStarter(), OnRun: a.onRun, OnGroup: a.metrics.Committed,
	})
	w.server = queue.NewServer(a.rdb, queue.ServerOptions{
		Prefix: a.cfg.Prefix, Concurrency: a.cfg.Concurrency, Lease: a.cfg.Lease, StopTimeout: handlerGrace(a.cfg),
		Assign: a.cfg.Assign(), Schedule: a.cfg.Schedule(),
		Poll: a.cfg.Poll, Epoch: a.db.NextEpoch, Acquired: feeder.Invalidate, LostWrites: feeder.LostWrites,
		Now: a.db.Now, Log: a.log,
	}, a.tracked(w.recorder)...)
	splitter := importers.NewSplitter(a.tasks, a.events, a.files, a.kinds, importers.SplitterOptions{
		Added: func() { feeder.Wake(); deliverer.Wake() }, Split: a.onSplit, Poll: a.cfg.Poll, Log: a.log,
		Limits: a.cfg.Limits(a.scratch),
	})
	files, unsubscribeFiles := a.queue.Subscribe(importers.Topic)
	exports, unsubscribeExports := a.queue.Subscribe(exporters.Topic)
	due, unsubscribeDue := a.queue.Subscribe(notify.Topic)

	w.recorder.Start()
	w.loops.Go(func() { feeder.Run(ctx) })
	w.loops.Go(func() {
		reconcile.NewAbandonedCloser(a.tasks, a.events, reconcile.AbandonedOptions{Log: a.log}).Run(ctx)
	})
	w.loops.Go(func() { canceler.Run(ctx) })
	w.loops.Go(func() { splitter.Run(ctx, files); unsubscribeFiles() })
	w.loops.Go(func() { runner.Run(ctx, exports); unsubscribeExports() })
	w.loops.Go(func() { deliverer.Run(ctx, due); unsubscribeDue() })
	w.loops.Go(func() {
		periodic.Loop{Every: sweepEvery, Log: a.log, Failed: "deleting unused files failed"}.Run(ctx, a.sweep)
	})
	w.loops.Go(func() { a.queue.Admin().Record(ctx, a.tasks.Lags) })
	cleaner := retention.New(a.tasks, a.events, a.files, retention.Options{
		Audit: audit.New(a.db, a.db.Now), AuditKeep: a.cfg.KeepAudit(), Log: a.log,
		Uploads: uploads.New(a.db, a.files, uploads.Options{Now: a.db.Now}), Mappings: mappings.New(a.db, a.db.Now),
	})
	w.loops.Go(func() { cleaner.Run(ctx) })
	fixes := operate.NewRunner(a.tasks, a.events, a.kinds, operate.RunnerOptions{Ran: feeder.Wake, Now: a.db.Now, Log: a.log})
	w.loops.Go(func() { fixes.Run(ctx) })
	w.sweeper = reconcile.NewSweeper(a.tasks, a.events, a.queue, a.kinds, reconcile.SweeperOptions{
		Now: a.db.Now, Log: a.log,
	})
	w.loops.Go(func() { w.sweeper.Run(ctx) })
	if err := w.server.Start(context.Background()); err != nil {
		panic(err) // a bug: the server is new, and rdb applies deadlines
	}
	w.loops.Go(func() { a.watchStuck(ctx, w.recorder) })
	a.working.Store(w)
	return w
}

// runOnStop runs the functions that the program has registered with OnStop, within stopTimeout.
func (a *app) runOnStop() {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := a.kinds.Stop(ctx); err != nil {
		a.log.Error("a function of OnStop failed", "err", err)
	}
}

// processName returns the name of this process in the message log: "host:pid".
func processName() string {
	host, _ := os.Hostname() // without it, the pid still identifies the process
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

func (a *app) feeding() feed.Options {
	o := feed.Options{Window: window, LeaseGrace: a.cfg.Lease, Poll: a.cfg.Poll, OnPush: a.onPush, Log: a.log}
	if a.cfg.Embedded() {
		o.Window, o.Chunk, o.LeaseGrace = embeddedWindow, embeddedWindow/2, 0
	}
	return o
}

func (a *app) delivering() notify.DelivererOptions {
	return notify.DelivererOptions{
		Client: guard.Client(guard.Options{AllowPrivate: a.cfg.WebhookAllowPrivate}), Base: a.cfg.OIDC.BaseURL(),
		Poll: a.cfg.Poll, OnAttempt: a.onAttempt, Trace: a.traces.Header, Now: a.db.Now, Log: a.log,
	}
}

func (a *app) tracked(rec *middleware.Recorder) []queue.Worker {
	var out []queue.Worker
	for _, k := range a.kinds.Kinds() {
		if n, ok := a.cfg.Weights[k.Name]; ok {
			k.Weight = n
		}
		w := middleware.Track(k, rec)
		w.MaxCrashes = a.cfg.CrashLimit
		out = append(out, w)
	}
	return out
}

// StopsWithin returns the longest time from SIGTERM to the end of a process, if no connection hangs. If a
// process is killed earlier, no row is lost. The running rows of a killed process run again after its
// leases have expired.
func StopsWithin(c settings.Config, r settings.Role) time.Duration {
	var d time.Duration
	if r.API {
		d += c.Drain + stopTimeout
	}
	if r.Workers { // time for running handlers, for handlers that ignore their cancel, for the last commit, and for OnStop
		d += handlerGrace(c) + 2*c.Lease + 2*stopTimeout
	}
	return d
}

// stop stops the workers. They read no more files and feed no more rows. Running handlers end, or their
// jobs are put back. Outcomes are committed and acknowledged.
func (w *workers) stop() {
	w.cancel()
	w.loops.Wait()
	w.recorder.Drain()
	w.server.Stop()
	w.recorder.Stop(stopTimeout)
	w.runOnStop()
}

// crash stops the workers without releasing their leases. Interrupted jobs run again after the leases
// of their shards have expired.
func (w *workers) crash() {
	w.recorder.Drain()
	w.server.Abandon()
	w.cancel()
	w.loops.Wait()
	w.recorder.Stop(stopTimeout)
}

const forgetAtOnce = 1000

// sweepAnswers deletes stored responses that have expired.
func (a *app) sweepAnswers(ctx context.Context) {
	for n := int64(forgetAtOnce); n == forgetAtOnce; {
		var err error
		if n, err = a.replays.Sweep(ctx, forgetAtOnce); err != nil && ctx.Err() == nil {
			a.log.Error("deleting expired responses failed", "err", err)
		}
	}
}

// sweep deletes files that no task refers to, and stored responses that have expired.
func (a *app) sweep(ctx context.Context) error {
	a.sweepAnswers(ctx)
	keep := func(id string) (bool, error) { return a.tasks.HasFile(ctx, id) }
	n, err := a.files.Sweep(ctx, orphanAge, keep)
	if n > 0 {
		a.log.Info("deleted files that no task uses", "files", n)
	}
	return err
}

// buildOf returns the build to record with each row that this process runs: `given`, else the commit,
// else the version. It returns "" if all three are unknown.
func buildOf(given string) string {
	for _, build := range []string{given, version.Commit(), version.Number()} {
		if build != "" && build != version.Unknown {
			return build
		}
	}
	return ""
}
