package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/throttle"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/web"
)

// stopTimeout is how long open requests may continue after the process has closed its listener.
const stopTimeout = 10 * time.Second

// serve serves HTTP until `ctx` ends. It continues for the duration cfg.Drain, while /readyz reports that
// the process is stopping. Finally it closes the listener, ends the streams, and waits up to stopTimeout
// for open requests.
func (a *app) serve(ctx context.Context, stdout io.Writer) error {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", a.cfg.Listen)
	if err != nil {
		return err
	}
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if _, err := a.cursorSecret(ctx); err != nil { // made now, since the ledger may be full later
		return err
	}
	handler := a.site()
	defer runBeside(ctx, func(ctx context.Context) { a.queue.Admin().Record(ctx, a.tasks.Lags) })() // for charts
	srv := conns.Server(handler)
	srv.BaseContext = func(net.Listener) context.Context { return requests }
	srv.RegisterOnShutdown(handler.Stop)
	defer a.runScheduler(ctx, handler)()
	fmt.Fprintf(stdout, "listening on http://%s\n", l.Addr())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(a.connections().Listen(l)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	handler.Leave()
	select {
	case err := <-ended:
		return err
	case <-time.After(a.cfg.Drain):
	}
	stopping, stop := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer stop()
	err = srv.Shutdown(stopping)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// site returns the handler of the API and the pages.
func (a *app) site() *web.Server {
	return web.New(web.Options{
		Tenants: operate.NewTenants(a.db, a.files, "", a.db.Now),
		Lists:   tasklist.New(a.db), Uploads: uploads.New(a.db, a.files, uploads.Options{Now: a.db.Now}), Mappings: mappings.New(a.db, a.db.Now),
		Tasks: a.tasks, Audit: audit.New(a.db, a.db.Now), Events: a.events, Notify: a.notify, Schedules: a.schedules,
		Files: a.files, Kinds: a.kinds, Queue: a.queue, CancelGrace: cancelGrace(a.cfg),
		Access: a.access, Idempotency: a.replays, Secret: a.cursorSecret, Ready: a.ledgerReady.answer, QueueReady: a.queueReady.answer,
		Hosts: a.cfg.AllowedHosts(), PublicURL: a.cfg.OIDC.PublicURL, TrustedProxies: a.cfg.TrustedProxies(), OnForwarded: a.onForwarded, SSO: a.signInProvider(), Guarded: a.cfg.Guarded, AllowPrivate: a.cfg.WebhookAllowPrivate, MaxUpload: a.cfg.MaxUpload,
		Rate: throttle.New(a.rdb, throttle.Options{Prefix: a.cfg.Prefix, Log: a.log}), RateLimit: a.cfg.RateLimit,
		OpenRate: a.cfg.OpenRate,
		Limits:   a.cfg.Limits(a.scratch),
		Served:   a.onRequest, Metrics: a.metrics.Handler(),
		Keep: a.cfg.KeepTasks(), Now: a.db.Now, Log: a.log,
	})
}

// runScheduler runs the scheduler until `ctx` ends or the caller calls `stop`. The scheduler uses `api`
// to validate and start the tasks of schedules.
func (a *app) runScheduler(ctx context.Context, api *web.Server) (stop func()) {
	return runBeside(ctx, schedules.NewRunner(a.schedules, api.StartRun, schedules.RunnerOptions{Log: a.log}).Run)
}

// runBeside runs a loop in a goroutine until `ctx` ends or the caller calls `stop`. The function `stop`
// ends the context of the loop and waits for its return.
func runBeside(ctx context.Context, loop func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); loop(ctx) }()
	return func() { cancel(); <-ended }
}

// cursorSecret returns the secret with which all API processes sign cursors of lists, links and cookies.
func (a *app) cursorSecret(ctx context.Context) ([]byte, error) { return a.db.Secret(ctx, "cursors") }

// connections returns an empty table of connections with the configured limits.
func (a *app) connections() *conns.Table {
	return conns.NewTable(conns.Limits{
		Connections: a.cfg.MaxConns, PerAddress: a.cfg.ClientConns, GivenUp: a.metrics.GivenUp,
	}, a.cfg.TrustedProxies().Has)
}
