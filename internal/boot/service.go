package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
)

// Service is the service without a listener and signal handlers, for programs that embed it. Open makes
// a Service, Start runs the workers, and Stop ends the Service. The caller must call Stop once.
type Service struct {
	app     *app
	site    func() *web.Server
	mu      sync.Mutex
	workers *workers
	rest    func() // ends the scheduler, which runs as long as the workers
}

// Open opens the connections of a service, and calls `kinds` with the opened ledger. The caller must have
// called cfg.Check.
func Open(ctx context.Context, cfg settings.Config, kinds settings.Kinds, log *slog.Logger) (*Service, error) {
	a, err := open(ctx, cfg, kinds, log)
	if err == nil { // made now, since the ledger may be full later
		_, err = a.cursorSecret(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, a.closeAll())
	}
	return &Service{app: a, site: sync.OnceValue(a.site)}, nil
}

// Handler returns the handler of the pages and of the API, whose paths begin with /api/v1.
func (s *Service) Handler() http.Handler { return s.site() }

// Client returns a client that creates tasks and jobs in the service.
func (s *Service) Client() *enqueue.Client { return s.app.client() }

// Tasks returns the store of tasks.
func (s *Service) Tasks() *tasks.Store { return s.app.tasks }

// Events returns the store of events.
func (s *Service) Events() *events.Store { return s.app.events }

// InTx runs `f` in a transaction of the ledger.
func (s *Service) InTx(ctx context.Context, f func(ledger.Tx) error) error {
	return s.app.db.InTx(ctx, f)
}

// Queue returns the client that pushes jobs to the queues.
func (s *Service) Queue() *queue.Client { return s.app.queue }

// Keyed reports whether callers need a credential, because an API key was ever created, a user was
// recorded, or users sign in through a provider. A result of false may be up to one second old.
func (s *Service) Keyed(ctx context.Context) (bool, error) {
	if s.app.cfg.OIDC.Issuer != "" {
		return true, nil
	}
	return s.app.access.Any(ctx)
}

// Start runs the functions that the program has registered with OnStart, and then starts the workers and
// the scheduler. They run until Stop or Crash. Start panics if the workers are already running.
func (s *Service) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers != nil {
		panic("boot: the workers run already")
	}
	if err := s.app.kinds.Start(ctx); err != nil {
		return fmt.Errorf("boot: start: %w", err)
	}
	s.app.log.Info("starting", "embedded", s.app.cfg.Embedded())
	s.workers = s.app.startWorkers()
	s.rest = s.app.runScheduler(context.Background(), s.site())
	return nil
}

// Crash ends the workers, if they run, as if the process had died. Results of running handlers are lost,
// and leases remain until they expire. Unlike a dead process, Crash still stores the outcomes of runs
// that ended before. It cancels the handlers and waits for them, for at most one lease.
func (s *Service) Crash() { s.end((*workers).crash) }

// Stop stops the workers in the same way as SIGTERM, ends open streams, and closes the connections. The
// caller must first shut down the server that uses Handler.
func (s *Service) Stop() error {
	s.end((*workers).stop)
	s.site().Stop()
	if err := s.app.closeAll(); err != nil {
		return fmt.Errorf("boot: stop: %w", err)
	}
	return nil
}

func (s *Service) end(how func(*workers)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers != nil {
		s.rest()
		how(s.workers)
		s.workers = nil
	}
}

// client returns a client that creates tasks and jobs of the registered kinds.
func (a *app) client() *enqueue.Client {
	return enqueue.New(a.db, a.queue, a.kinds, enqueue.Options{Keep: a.cfg.KeepTasks()})
}
