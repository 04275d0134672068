package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// Service is a process without a listener and signals of its own, for programs
// that have theirs. Open it, Start its workers if it is to have some, and Stop it
// once.
type Service struct {
	app     *app
	site    func() *web.Server
	mu      sync.Mutex
	workers *workers
	rest    func() // ends what starts schedules; beside workers
}

// Open opens the connections of a process that cfg.Check has found right. The
// kinds are given, or made from the ledger that was opened.
func Open(ctx context.Context, cfg Config, kinds Kinds, log *slog.Logger) (*Service, error) {
	a, err := open(ctx, cfg, kinds, log)
	if err == nil { // made now, for later the ledger may be full
		_, err = a.cursorSecret(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, a.down())
	}
	return &Service{app: a, site: sync.OnceValue(a.site)}, nil
}

// Handler answers HTTP: the API below /api/v1, and the pages.
func (s *Service) Handler() http.Handler { return s.site() }

// Client makes work on the service.
func (s *Service) Client() *worker.Client { return s.app.client() }

// Tasks is the store of tasks that the service itself works with.
func (s *Service) Tasks() *tasks.Store { return s.app.tasks }

// Events is the store of jobs that the service itself works with.
func (s *Service) Events() *events.Store { return s.app.events }

// InTx runs f in a transaction on the ledger.
func (s *Service) InTx(ctx context.Context, f func(ledger.Tx) error) error {
	return s.app.db.InTx(ctx, f)
}

// Queue is what the service itself pushes jobs with.
func (s *Service) Queue() *queue.Client { return s.app.queue }

// Keyed tells whether there is an API key, or people sign in elsewhere: from when
// on all who call are asked who they are.
func (s *Service) Keyed(ctx context.Context) (bool, error) {
	if s.app.cfg.OIDC.Issuer != "" {
		return true, nil
	}
	return s.app.access.Any(ctx)
}

// Start has jobs fed and run, and schedules started, until Stop. It panics if they are already.
func (s *Service) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers != nil {
		panic("boot: the workers run already")
	}
	s.app.log.Info("starting", "embedded", s.app.cfg.Embedded())
	s.workers = s.app.startWorkers()
	s.rest = s.app.schedule(context.Background(), s.site())
}

// Crash ends the workers, if there are some, as the death of their process would:
// what their handlers were about to tell is lost, and their leases stay until
// they run out. Handlers are cancelled and waited for.
func (s *Service) Crash() { s.end((*workers).crash) }

// Stop ends the workers as a process does that was asked to, then the streams
// under way, and closes the connections. The requests of the Handler should have
// been answered before.
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

// client makes work for the kinds of the process.
func (a *app) client() *worker.Client {
	return worker.NewClient(a.db, a.queue, a.kinds, worker.ClientOptions{Keep: a.cfg.keep()})
}
