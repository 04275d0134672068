package operate

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// body is a job in the morgue, with the state of its row.
type body struct {
	queue.Held
	env   jobs.Envelope
	known bool // the ledger has the row
	state events.State
	alive bool // another copy of the job waits or runs
}

// waited reports whether the row is still enqueued and this is its only copy.
func (b *body) waited() bool {
	return b.known && !b.alive && !b.state.Back && b.state.Status == events.Enqueue
}

// stalled reports whether the row is enqueued or working, and this is its only copy: a process died
// before it recorded the move to the morgue.
func (b *body) stalled() bool {
	return b.waited() || b.known && !b.alive && b.state.Status == events.Working
}

// pageBodies is how many jobs are read at once.
const pageBodies = 100

// headBytes is how many bytes of a payload identify its event.
const headBytes = 16

// bodies calls see with the jobs of keys in the morgue, a page at a time.
func (d *Desk) bodies(
	ctx context.Context, o Order, keys []string, see func([]*body) error,
) error {
	var page []*body
	flush := func() error {
		if len(page) == 0 {
			return nil
		}
		err := d.look(ctx, o, page)
		if err == nil {
			err = see(page)
		}
		page = page[:0]
		return err
	}
	for h, err := range d.admin.Dead(ctx, o.Queue, keys...) {
		if err != nil {
			return queueErr(err)
		}
		env, err := jobs.Unpack(h.Payload)
		if err != nil || env.Tenant != o.Tenant {
			continue // not the job of a row
		}
		page = append(page, &body{Held: h, env: env})
		if len(page) == pageBodies {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// look reads the states of a page's jobs from queue and ledger.
func (d *Desk) look(ctx context.Context, o Order, page []*body) error {
	refs := make([]queue.Ref, len(page))
	ids := make([]events.ID, len(page))
	for i, b := range page {
		refs[i] = queue.Ref{Key: b.Key, Score: b.Score, Head: string(b.Payload[:headBytes])}
		ids[i] = b.env.Event
	}
	places, err := d.admin.Locate(ctx, o.Queue, refs...)
	if err != nil {
		return queueErr(err)
	}
	states, err := d.events.States(ctx, ids)
	if err != nil {
		return fmt.Errorf("operate: states of %s: %w", o.Queue, err)
	}
	for i, b := range page {
		b.state, b.known = states[b.env.Event]
		b.known = b.known && b.state.TaskID == b.env.TaskID
		b.alive = places[i].Waiting+places[i].Busy > 0
	}
	return nil
}

// bury deletes the chosen jobs from the morgue.
func (d *Desk) bury(ctx context.Context, o Order, list []*body, chosen func(*body) bool) error {
	payloads := map[string][][]byte{}
	for _, b := range list {
		if chosen(b) {
			payloads[b.Key] = append(payloads[b.Key], b.Payload)
		}
	}
	for key, some := range payloads {
		if _, err := d.admin.RemoveDead(ctx, o.Queue, key, some...); err != nil {
			return queueErr(err)
		}
	}
	return nil
}
