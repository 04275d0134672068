package operate

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// morgueJob is a job in the morgue, with the state of its row.
type morgueJob struct {
	queue.Held
	env   jobs.Envelope
	known bool // the ledger has the row
	state events.State
	alive bool // another copy of the job waits or runs
}

// waited reports whether the row is still enqueued and was not resubmitted, and the queue has no
// other copy of its job.
func (b *morgueJob) waited() bool {
	return b.known && !b.alive && !b.state.Back && b.state.Status == events.Enqueue
}

// stalled reports whether the row must still run, but the queue has no other copy of its job. Such a row is
// working, or is enqueued and was not resubmitted. The move of the job to the morgue was then not recorded,
// for example after a crash.
func (b *morgueJob) stalled() bool {
	return b.waited() || b.known && !b.alive && b.state.Status == events.Working
}

// pageJobs is the greatest number of jobs that morgueJobs reads at once.
const pageJobs = 100

// headBytes is the number of bytes at the start of a payload that identify its event.
const headBytes = 16

// morgueJobs reads the jobs of keys in the morgue, and passes them to the function `see`, a page at a time.
// It leaves out jobs of other tenants, and payloads that are not jobs of rows.
func (d *Operator) morgueJobs(
	ctx context.Context, o Order, keys []string, see func([]*morgueJob) error,
) error {
	var page []*morgueJob
	flush := func() error {
		if len(page) == 0 {
			return nil
		}
		err := d.readStates(ctx, o, page)
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
			continue // not the job of a row, or a job of another tenant
		}
		page = append(page, &morgueJob{Held: h, env: env})
		if len(page) == pageJobs {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// readStates reads the states of a page's jobs from the queue and the ledger.
func (d *Operator) readStates(ctx context.Context, o Order, page []*morgueJob) error {
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

// removeFromMorgue deletes the chosen jobs from the morgue.
func (d *Operator) removeFromMorgue(ctx context.Context, o Order, list []*morgueJob, chosen func(*morgueJob) bool) error {
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
