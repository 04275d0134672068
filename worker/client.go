package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/groupcommit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// FeedTopic is the topic that is notified when rows wait to be fed.
const FeedTopic = "feed"

// wakeTimeout bounds a notification. An unreachable Redis must not delay a program whose work is
// already in the ledger.
const wakeTimeout = time.Second

// Errors that callers may test for with errors.Is.
var (
	// ErrUnknownKind means that the kind is missing in the client's registry. Register it.
	ErrUnknownKind = errors.New("kind is not registered")

	// ErrNoClient means that there is no client, as in a handler called by Definition.Call.
	ErrNoClient = errors.New("no client")

	// ErrOption means that the value of an option is invalid.
	ErrOption = errors.New("invalid option")
)

// ClientOptions configures a Client. The zero value works.
type ClientOptions struct {
	// Tenant owns tasks created without the option Tenant. Default "default".
	Tenant string

	// Keep is how long a task is kept. Default 90 days.
	Keep time.Duration

	// Chunk is how many rows of Definition.Task are committed at once. Default 1,000.
	Chunk int

	// Claim is how long a program may pause during Definition.Task before its task ends as failed.
	// Default 30s.
	Claim time.Duration

	// Now returns the current time. Default: the time of the ledger.
	Now func() time.Time
}

func (o ClientOptions) withDefaults() ClientOptions {
	o.Tenant = cmp.Or(o.Tenant, "default")
	o.Keep = cmp.Or(o.Keep, 90*24*time.Hour)
	o.Chunk = cmp.Or(o.Chunk, 1000)
	o.Claim = cmp.Or(o.Claim, 30*time.Second)
	return o
}

// Client creates work from a Go program. Connect returns one to other programs, and Job.Client to
// handlers. It is safe for concurrent use.
type Client struct {
	db     *ledger.DB
	tasks  *tasks.Store
	events *events.Store
	queue  *queue.Client
	kinds  *Registry
	opt    ClientOptions
	group  *groupcommit.Group[*single]
	close  []func() error
}

// NewClient returns a client on the ledger and the queue of a registry's kinds. It does no I/O; the
// caller keeps and closes both.
func NewClient(db *ledger.DB, q *queue.Client, kinds *Registry, opt ClientOptions) *Client {
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

// Wake makes the feeder feed waiting rows at once, instead of within a second. Call it after the
// commit of a transaction with EnqueueTx.
func (c *Client) Wake(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, wakeTimeout)
	defer cancel()
	if err := c.queue.Notify(ctx, FeedTopic); err != nil {
		return fmt.Errorf("worker: wake: %w", err)
	}
	return nil
}

// wake calls Wake and ignores its error: the feeder also polls.
func (c *Client) wake(ctx context.Context) { _ = c.Wake(ctx) }
