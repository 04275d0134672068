package operate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// ErrOrder means that an order has both or neither of Keys and All, or that an order for Kill or Delete has
// All. No key was changed.
var ErrOrder = errors.New("operate: an order needs either keys or all")

// Order holds the queue and the keys of an action: the named keys, or all keys that the action applies
// to. Exactly one of the fields Keys and All must be set.
type Order struct {
	Tenant string
	By     string // the actor, for the history of each row
	Queue  string

	Keys []string // ordering keys without their tenant
	All  bool     // all keys of the tenant that the action applies to

	DryRun bool // the action only counts
	Anyway bool // for Requeue: rows run even if a newer row of their key has finished

	id string // of a requeue, for the audit log
}

// Result is the result of an action. For a dry run it is the expected result.
type Result struct {
	Touched int // the number of changed keys

	// Missing lists the named keys that the action does not apply to. It is empty with Order.All.
	Missing []string
}

// check returns ErrOrder unless exactly one of the fields Keys and All is set.
func (o Order) check() error {
	if o.All == (len(o.Keys) > 0) {
		return ErrOrder
	}
	return nil
}

// tracked reports whether the ledger tracks the jobs of the queue. A kind that this program does
// not register counts as tracked: the payloads of its jobs show whether they are tracked.
func (o Order) tracked(kinds *jobs.Registry) bool {
	kind, known := kinds.Kind(o.Queue)
	return !known || !kind.Untracked
}

// keys returns the order's keys without duplicates, in the form of the queue: with their tenant.
func (o Order) keys() (out []string) {
	seen := map[string]bool{}
	for _, key := range o.Keys {
		if !seen[key] {
			out = append(out, o.Tenant+"/"+key)
		}
		seen[key] = true
	}
	return out
}

// pageKeys is the greatest number of keys that an action changes at once.
const pageKeys = 100

// work holds the functions of an action: how it lists keys, to which keys it applies, and how it changes
// them.
type work struct {
	list  func(context.Context, string, queue.Query) (queue.Page, error) // of queue.Admin
	query queue.Query                                                    // selects all keys
	fits  func(queue.KeySummary) bool                                    // reports whether the action applies to the key
	do    func(keys []string) (int, error)                               // returns the number of changed keys
}

// counted returns `do` or, for a dry run, a function that only counts the keys.
func (o Order) counted(do func(keys []string) (int, error)) func(keys []string) (int, error) {
	if o.DryRun {
		return func(keys []string) (int, error) { return len(keys), nil }
	}
	return do
}

// perform does the work of an order, a page of keys at a time. A queue that does not exist in Redis
// has no keys.
func (d *Operator) perform(ctx context.Context, o Order, w work) (out Result, err error) {
	if err := o.check(); err != nil {
		return out, err
	}
	if o.All {
		return d.performAll(ctx, o, w)
	}
	for page := range slices.Chunk(o.keys(), pageKeys) {
		fit, rest, err := d.separate(ctx, o, w, page)
		if err != nil {
			return out, err
		}
		for _, key := range rest {
			out.Missing = append(out.Missing, strings.TrimPrefix(key, o.Tenant+"/"))
		}
		if err := out.add(fit, w); err != nil {
			return out, err
		}
	}
	return out, nil
}

// performAll does the work for all keys of the tenant that work.list returns, page by page. It leaves out
// keys that the action does not apply to.
func (d *Operator) performAll(ctx context.Context, o Order, w work) (out Result, err error) {
	q := w.query
	q.Prefix, q.Limit, q.Each = o.Tenant+"/", pageKeys, 1
	for {
		page, err := w.list(ctx, o.Queue, q)
		if err != nil {
			return out, queueErr(err)
		}
		keys := make([]string, len(page.Keys))
		for i := range page.Keys {
			keys[i] = page.Keys[i].Key
		}
		fit, _, err := d.separate(ctx, o, w, keys)
		if err != nil {
			return out, err
		}
		if err := out.add(fit, w); err != nil {
			return out, err
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return out, nil
		}
	}
}

// separate returns the keys that the action applies to, and the other keys.
func (d *Operator) separate(ctx context.Context, o Order, w work, keys []string) (fit, rest []string, err error) {
	list, err := d.admin.KeySummaries(ctx, o.Queue, keys...)
	if err != nil {
		return nil, nil, queueErr(err)
	}
	for i, key := range keys {
		if w.fits(list[i]) {
			fit = append(fit, key)
		} else {
			rest = append(rest, key)
		}
	}
	return fit, rest, nil
}

// add does the work for keys, and adds the number of changed keys to the result.
func (r *Result) add(fit []string, w work) error {
	if len(fit) == 0 {
		return nil
	}
	n, err := w.do(fit)
	r.Touched += n
	return err
}
