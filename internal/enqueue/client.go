package enqueue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/groupcommit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// wakeTimeout bounds how long Wake waits for Redis. An unreachable Redis must not delay a program whose
// jobs are already in the ledger.
const wakeTimeout = time.Second

// These are the errors of this package. Callers test for them with errors.Is.
var (
	// ErrUnknownKind means that the client's registry lacks the kind. The program must register it.
	ErrUnknownKind = errors.New("kind is not registered")

	// ErrNoClient means that the client is nil.
	ErrNoClient = errors.New("no client")

	// ErrOption means that an option has an invalid value.
	ErrOption = errors.New("invalid option")
)

// Options holds the settings of a Client. The zero value works.
type Options struct {
	// Tenant is the tenant of the tasks and jobs that are added without a tenant of their own. Default
	// "default".
	Tenant string

	// Keep is how long a task is kept once it is done. Default 90 days.
	Keep time.Duration

	// Chunk is the greatest number of rows of a task that are committed at once. Default 1,000.
	Chunk int

	// Claim is how long a program keeps the claim on a task without a renewal. If the program dies while
	// it adds rows, the task ends with a problem after this time. Default 30s.
	Claim time.Duration

	// Now returns the current time. Default: the clock of the ledger.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Tenant = cmp.Or(o.Tenant, "default")
	o.Keep = cmp.Or(o.Keep, 90*24*time.Hour)
	o.Chunk = cmp.Or(o.Chunk, 1000)
	o.Claim = cmp.Or(o.Claim, 30*time.Second)
	return o
}

// Client is a client with which a Go program creates tasks and jobs. It is safe for concurrent use.
type Client struct {
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
	queue  *queue.Client
	kinds  *jobs.Registry
	opt    Options
	group  *groupcommit.Group[*single]
	free   *freeTenants
}

// New returns a client for the kinds in a registry. The argument `db` is the ledger, and `q` is the
// client of the queue. The caller closes `db` and `q`. New does no I/O.
func New(db *ledger.DB, q *queue.Client, kinds *jobs.Registry, opt Options) *Client {
	opt = opt.withDefaults()
	if opt.Now == nil {
		opt.Now = db.Now
	}
	c := &Client{
		db: db, queue: q, kinds: kinds, opt: opt, free: &freeTenants{},
		tasks:  tasks.New(db, tasks.Options{Now: opt.Now}),
		events: events.New(db, events.Options{Now: opt.Now}),
	}
	c.group = c.newGroup()
	return c
}

// Wake makes the feeder push waiting rows immediately, instead of at its next poll.
func (c *Client) Wake(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, wakeTimeout)
	defer cancel()
	if err := c.queue.Notify(ctx, jobs.FeedTopic); err != nil {
		return fmt.Errorf("worker: wake: %w", err)
	}
	return nil
}

// wake calls Wake. It ignores the error, because the feeder also polls.
func (c *Client) wake(ctx context.Context) { _ = c.Wake(ctx) }

// For returns a client for another tenant; nil for a nil client. Both clients use the same connections.
func (c *Client) For(tenant string) *Client {
	if c == nil {
		return nil
	}
	other := *c
	other.opt.Tenant = tenant
	return &other
}

// Flush waits for the jobs that are being added. The caller may then close the connections.
func (c *Client) Flush() { c.group.Wait() }

// Task returns a tenant's task by its id. It returns tasks.ErrNotFound if the tenant has no such task,
// and tasks.ErrExpired if the task was purged.
func (c *Client) Task(ctx context.Context, tenant, id string) (*tasks.Task, error) {
	return c.tasks.Get(ctx, tenant, id)
}

// Event returns the record of a job, or events.ErrNotFound.
func (c *Client) Event(ctx context.Context, id events.ID) (*events.Event, error) {
	return c.events.Get(ctx, id)
}

// published returns the *worker.Client of a Client. Package worker sets it, because this package
// cannot import worker.
var published func(*Client) any

// Publish sets the function that Public calls. Package worker calls Publish when it is initialized.
func Publish(public func(*Client) any) { published = public }

// Public returns the *worker.Client that uses `c`.
func Public(c *Client) any { return published(c) }
