package rollcall

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/worker"
)

// These are errors that callers may test for with errors.Is.
var (
	// ErrOpen means that callers from other machines could use the Handler without a credential. Create
	// an API key with "api keys create", or set Options.Guarded.
	ErrOpen = errors.New("there is no API key yet: create one with \"api keys create\", or set Options.Guarded")

	// ErrRun means that Run was called twice, or after Close. Make another Service.
	ErrRun = errors.New("the service has already run or was closed: make another Service")
)

// Service is a Rollcall service inside this program. It is safe for concurrent use.
type Service struct {
	opt  Options
	boot *boot.Service
	ran  atomic.Bool
}

// New opens the database, Redis and the files, and applies pending migrations. It returns an error for
// invalid options. No job runs before Run. Run closes all connections at its end; without Run, call Close.
//
// Once an API key exists, the Handler requires a credential, like cmd/api. Before that, every caller has
// the rights of the owner if Guarded is set. Otherwise, the Handler answers only requests from this machine
// to localhost or a loopback address.
//
// New returns ErrOpen if Hosts or the setting HOSTS or PUBLIC_URL names another host. It accepts the
// host if an API key exists, Guarded is set, or users sign in through an OpenID Connect provider.
func New(ctx context.Context, opt Options) (*Service, error) {
	opt = opt.withDefaults()
	if opt.Kinds == nil {
		return nil, errors.New("rollcall: Options.Kinds is missing")
	}
	cfg, err := opt.config()
	if err != nil {
		return nil, fmt.Errorf("rollcall: %w", err)
	}
	if err := cfg.Check(settings.Role{API: true}); err != nil {
		return nil, fmt.Errorf("rollcall: %w", err)
	}
	if opt.NoWorkers && cfg.Embedded() {
		return nil, errors.New("rollcall: NoWorkers needs Postgres and Redis, because the embedded mode runs its workers in this program")
	}
	b, err := boot.Open(ctx, cfg, settings.Fixed(jobs.RegistryOf(opt.Kinds)), opt.Log)
	if err != nil {
		return nil, fmt.Errorf("rollcall: %w", err)
	}
	s := &Service{opt: opt, boot: b}
	if err := s.guarded(ctx, cfg.OtherHost()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// guarded returns ErrOpen if callers would need no credential and `other`, a host in the settings, is not
// of this machine. The argument `other` is "" if all hosts are of this machine.
func (s *Service) guarded(ctx context.Context, other string) error {
	if s.opt.Guarded || other == "" {
		return nil
	}
	keyed, err := s.boot.Keyed(ctx)
	if err == nil && !keyed {
		err = fmt.Errorf("rollcall: %w", ErrOpen)
	}
	return err
}

// Handler returns a handler that serves the API below /api/v1, and the pages. It also works under a
// prefix that http.StripPrefix removes. The links of the pages then need the setting PUBLIC_URL with
// this prefix as its path.
func (s *Service) Handler() http.Handler { return s.boot.Handler() }

// Client returns a client for Definition.Enqueue, EnqueueTx and Task. It works until Run returns or
// Close is called.
func (s *Service) Client() *worker.Client { return enqueue.Public(s.boot.Client()).(*worker.Client) }

// Run runs jobs until ctx ends. Then running handlers have 25 s (the setting STOP_TIMEOUT) to return, and
// unfinished jobs go back to the queue. Run commits outcomes, releases leases, ends the event streams of
// the Handler and closes connections. Before ctx ends, shut down the program's HTTP server. Run returns an
// error if it cannot start the workers or close a connection.
func (s *Service) Run(ctx context.Context) error {
	if !s.ran.CompareAndSwap(false, true) {
		return fmt.Errorf("rollcall: %w", ErrRun)
	}
	if !s.opt.NoWorkers {
		if err := s.boot.Start(ctx); err != nil {
			return errors.Join(fmt.Errorf("rollcall: %w", err), s.boot.Stop())
		}
	}
	<-ctx.Done()
	return s.boot.Stop()
}

// Close closes a Service on which Run was not called. After Run it is a no-op.
func (s *Service) Close() error {
	if !s.ran.CompareAndSwap(false, true) {
		return nil
	}
	return s.boot.Stop()
}
