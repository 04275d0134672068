package operate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

// ErrOrder means that an order names no keys and does not mean all either, or
// does both. Nothing was done.
var ErrOrder = errors.New("operate: an order names keys, or means all")

// Order says what an act is about: the named keys, or all that the act can be
// done to. An order that says neither is refused.
type Order struct {
	Tenant string
	By     string // who, for the history of each row
	Queue  string

	Keys []string // ordering keys without their tenant
	All  bool     // all keys of the tenant that the act can be done to

	DryRun bool // the act counts, and does nothing
	Anyway bool // of Requeue: rows run even if a newer row of their key has finished
}

// Result is what an act has done or, as a dry run, would do.
type Result struct {
	Touched int // keys

	// Missing lists the named keys that the act cannot be done to, as they were
	// named. It is empty if all keys are meant.
	Missing []string
}

// check refuses an order that does not say what it is about.
func (o Order) check() error {
	if o.All == (len(o.Keys) > 0) {
		return ErrOrder
	}
	return nil
}

// tracked tells whether the ledger knows the jobs of the queue. Those of a kind
// that this program does not know are taken for such: what they hold decides.
func (o Order) tracked(kinds *worker.Registry) bool {
	kind, known := kinds.Kind(o.Queue)
	return !known || !kind.Untracked
}

// keys are the order's as the queue has them, each once.
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

// pageKeys is how many keys are acted on at once.
const pageKeys = 100

// work is what an act does, and to which keys.
type work struct {
	list  func(context.Context, string, queue.Query) (queue.Page, error) // of queue.Admin
	query queue.Query                                                    // for all of them
	fits  func(queue.Standing) bool                                      // the act can be done to such a key
	do    func(keys []string) (int, error)                               // returns how many it has touched
}

// counted is do of an order that only counts: every key that fits counts.
func (o Order) counted(do func(keys []string) (int, error)) func(keys []string) (int, error) {
	if o.DryRun {
		return func(keys []string) (int, error) { return len(keys), nil }
	}
	return do
}

// perform does the work of an order, a page of keys at a time. In a queue that
// Redis has not seen there are no keys.
func (d *Desk) perform(ctx context.Context, o Order, w work) (out Result, err error) {
	if err := o.check(); err != nil {
		return out, err
	}
	if o.All {
		return d.performAll(ctx, o, w)
	}
	for page := range slices.Chunk(o.keys(), pageKeys) {
		fit, rest, err := d.sort(ctx, o, w, page)
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

// performAll does the work to all keys that the list has.
func (d *Desk) performAll(ctx context.Context, o Order, w work) (out Result, err error) {
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
		fit, _, err := d.sort(ctx, o, w, keys)
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

// sort tells the keys that the act can be done to from the rest.
func (d *Desk) sort(ctx context.Context, o Order, w work, keys []string) (fit, rest []string, err error) {
	list, err := d.admin.Standings(ctx, o.Queue, keys...)
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

// add does the work to keys that fit, and adds up.
func (r *Result) add(fit []string, w work) error {
	if len(fit) == 0 {
		return nil
	}
	n, err := w.do(fit)
	r.Touched += n
	return err
}
