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

// wakeTimeout bounds a notification. An unreachable Redis must not delay a program whose work is
// already in the ledger.
const wakeTimeout = time.Second

// Errors that callers may test for with errors.Is.
var (
	// ErrUnknownKind means that the kind is missing in the client's registry. Register it.
	ErrUnknownKind = errors.New("kind is not registered")

	// ErrNoClient means that there is no client.
	ErrNoClient = errors.New("no client")

	// ErrOption means that the value of an option is invalid.
	ErrOption = errors.New("invalid option")
)

// Options configures a Client: see worker.ClientOptions. The zero value works.
type Options struct {
	// Tenant owns tasks created without the option Tenant. Default "default".
	Tenant string

	// Keep is how long a task is kept. Default 90 days.
	Keep time.Duration

	// Chunk is how many rows of a task are committed at once. Default 1,000.
	Chunk int

	// Claim is how long a program may pause while it adds rows before its task ends as failed.
	// Default 30s.
	Claim time.Duration

	// Now returns the current time. Default: the time of the ledger.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.Tenant = cmp.Or(o.Tenant, "default")
	o.Keep = cmp.Or(o.Keep, 90*24*time.Hour)
	o.Chunk = cmp.Or(o.Chunk, 1000)
	o.Claim = cmp.Or(o.Claim, 30*time.Second)
	return o
}

// Client creates work from a Go program. It is safe for concurrent use.
type Client struct {
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
	queue  *queue.Client
	kinds  *jobs.Registry
	opt    Options
	group  *groupcommit.Group[*single]
}

// New returns a client on the ledger and the queue of a registry's kinds. It does no I/O; the
// caller keeps and closes both.
func New(db *ledger.DB, q *queue.Client, kinds *jobs.Registry, opt Options) *Client {
	opt = opt.withDefaults()
	if opt.Now == nil {
		opt.Now = db.Now
	}
	c := &Client{
		db: db, queue: q, kinds: kinds, opt: opt,
		tasks:  tasks.New(db, tasks.Options{Now: opt.Now}),
		events: events.New(db, events.Options{Now: opt.Now}),
	}
	c.group = c.newGroup()
	return c
}

// Wake makes the feeder feed waiting rows at once, instead of within a second.
func (c *Client) Wake(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, wakeTimeout)
	defer cancel()
	if err := c.queue.Notify(ctx, jobs.FeedTopic); err != nil {
		return fmt.Errorf("worker: wake: %w", err)
	}
	return nil
}

// wake calls Wake and ignores its error: the feeder also polls.
func (c *Client) wake(ctx context.Context) { _ = c.Wake(ctx) }

// For returns a client whose work belongs to another tenant. Both share their connections. For a
// nil client it returns nil.
func (c *Client) For(tenant string) *Client {
	if c == nil {
		return nil
	}
	other := *c
	other.opt.Tenant = tenant
	return &other
}

// Flush waits for the jobs that are being added. The connections may be closed after it.
func (c *Client) Flush() { c.group.Wait() }

// Task reads a task, or returns tasks.ErrNotFound.
func (c *Client) Task(ctx context.Context, tenant, id string) (*tasks.Task, error) {
	return c.tasks.Get(ctx, tenant, id)
}

// Event reads the record of a job.
func (c *Client) Event(ctx context.Context, id events.ID) (*events.Event, error) {
	return c.events.Get(ctx, id)
}

// published makes a *worker.Client of a Client.
var published func(*Client) any

// Publish sets what Public calls. Package worker calls it when it is loaded.
func Publish(public func(*Client) any) { published = public }

// Public returns the *worker.Client on a Client.
func Public(c *Client) any { return published(c) }
