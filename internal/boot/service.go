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

// Service is a process without a listener and signal handlers, for embedding programs. Open it,
// call Start for workers, and Stop it once.
type Service struct {
	app     *app
	site    func() *web.Server
	mu      sync.Mutex
	workers *workers
	rest    func() // ends the scheduler; runs with the workers
}

// Open opens the connections of a process with a cfg validated by Check. kinds gets the opened
// ledger.
func Open(ctx context.Context, cfg settings.Config, kinds settings.Kinds, log *slog.Logger) (*Service, error) {
	a, err := open(ctx, cfg, kinds, log)
	if err == nil { // made now, since the ledger may be full later
		_, err = a.cursorSecret(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, a.down())
	}
	return &Service{app: a, site: sync.OnceValue(a.site)}, nil
}

// Handler returns the handler of the API below /api/v1 and of the pages.
func (s *Service) Handler() http.Handler { return s.site() }

// Client returns a client that creates work on the service.
func (s *Service) Client() *enqueue.Client { return s.app.client() }

// Tasks returns the store of tasks of the service.
func (s *Service) Tasks() *tasks.Store { return s.app.tasks }

// Events returns the store of events of the service.
func (s *Service) Events() *events.Store { return s.app.events }

// InTx runs f in a transaction on the ledger.
func (s *Service) InTx(ctx context.Context, f func(ledger.Tx) error) error {
	return s.app.db.InTx(ctx, f)
}

// Queue returns the client with which the service pushes jobs.
func (s *Service) Queue() *queue.Client { return s.app.queue }

// Keyed reports whether callers need a credential: there is an API key, or users sign in through a
// provider.
func (s *Service) Keyed(ctx context.Context) (bool, error) {
	if s.app.cfg.OIDC.Issuer != "" {
		return true, nil
	}
	return s.app.access.Any(ctx)
}

// Start runs the functions of OnStart, then starts feeding and running jobs, and schedules, until
// Stop. It panics if they are already running.
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
	s.rest = s.app.schedule(context.Background(), s.site())
	return nil
}

// Crash ends the workers, if any, like the death of their process: results of their handlers are
// lost, and their leases stay until they expire. Crash cancels handlers and waits for them.
func (s *Service) Crash() { s.end((*workers).crash) }

// Stop stops the workers as on SIGTERM, then ends open streams, and closes the connections. Shut
// down the server of the Handler before.
func (s *Service) Stop() error {
	s.end((*workers).stop)
	s.site().Stop()
	if err := s.app.down(); err != nil {
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

// client returns a client for the kinds of the process.
func (a *app) client() *enqueue.Client {
	return enqueue.New(a.db, a.queue, a.kinds, enqueue.Options{Keep: a.cfg.KeepTasks()})
}
