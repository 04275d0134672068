package operate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// ErrQueue means that the queue could not be reached. What was done by then stays
// done; asked for again, the act goes on.
var ErrQueue = errors.New("the queue cannot be reached")

// queueErr marks what the queue did not do. One that Redis has not seen has
// nothing to do it to.
func queueErr(err error) error {
	if err == nil || errors.Is(err, queue.ErrUnknownQueue) {
		return nil
	}
	return fmt.Errorf("operate: %w: %w", ErrQueue, err)
}

// Options tunes a Desk. The zero value works.
type Options struct {
	// Now tells the time of what is noted. Default time.Now.
	Now func() time.Time
}

// Desk is where operators' acts come in. Make it with New; it is safe for
// concurrent use.
type Desk struct {
	tasks  *tasks.Store
	events *events.Store
	review *review.Desk
	admin  *queue.Admin
	kinds  *worker.Registry
	now    func() time.Time
}

// New returns a desk for the kinds of a registry.
func New(ts *tasks.Store, es *events.Store, c *queue.Client, kinds *worker.Registry, opt Options) *Desk {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	judge := review.New(es, kinds, review.Options{Now: opt.Now})
	return &Desk{ts, es, judge, c.Admin(), kinds, opt.Now}
}

// Order says what an act is about.
type Order struct {
	Tenant string
	By     string // who, for the history of each row
	Queue  string

	// Keys are ordering keys without their tenant; nil is all that the act can
	// be done to.
	Keys []string

	DryRun bool // of Requeue: only count
	Anyway bool // of Requeue: rows run even if a newer row of their key has finished
}

// tracked tells whether the ledger knows the jobs of the queue. Those of a kind
// that this program does not know are taken for such: what they hold decides.
func (o Order) tracked(kinds *worker.Registry) bool {
	kind, known := kinds.Kind(o.Queue)
	return !known || !kind.Untracked
}

// keys are the order's as the queue has them.
func (o Order) keys() []string {
	out := make([]string, len(o.Keys))
	for i, key := range o.Keys {
		out[i] = o.Tenant + "/" + key
	}
	return out
}

// pageKeys is how many keys are acted on at once.
const pageKeys = 100

// lister is one of the lists of queue.Admin.
type lister func(context.Context, string, queue.Query) (queue.Page, error)

// pages hands the keys of an order to act, a page at a time, in the order of q,
// and adds up what it has touched. In a queue that Redis has not seen there are
// none.
func (o Order) pages(
	ctx context.Context, list lister, q queue.Query, act func(keys []string) (int, error),
) (touched int, err error) {
	if o.Keys != nil {
		return act(o.keys())
	}
	q.Prefix, q.Limit, q.Each = o.Tenant+"/", pageKeys, 1
	for {
		page, err := list(ctx, o.Queue, q)
		if err != nil {
			return touched, queueErr(err)
		}
		keys := make([]string, len(page.Keys))
		for i := range page.Keys {
			keys[i] = page.Keys[i].Key
		}
		if len(keys) > 0 {
			n, err := act(keys)
			if touched += n; err != nil {
				return touched, err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return touched, nil
		}
	}
}
