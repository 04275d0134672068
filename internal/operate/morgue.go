package operate

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// Discard deletes keys from the morgue, with all their jobs. Rows with the status error keep it,
// and users may resubmit them.
func (d *Operator) Discard(ctx context.Context, o Order) (Result, error) {
	return d.perform(ctx, o, work{
		list: d.admin.Morgue, fits: inMorgue,
		do: o.counted(func(keys []string) (int, error) {
			n, err := d.admin.DeleteMorgue(ctx, o.Queue, keys...)
			return n, queueErr(err)
		}),
	})
}

// DiscardRows deletes the jobs of rows from the morgue, and returns the number of these jobs. It
// skips rows without the status error. A dry run only counts the jobs. Order.Keys holds the keys of
// the rows; other jobs of these keys remain. The rows keep the status error, and users may resubmit
// them.
func (d *Operator) DiscardRows(ctx context.Context, o Order, rows map[events.ID]bool) (n int, err error) {
	chosen := func(b *morgueJob) bool { return rows[b.env.Event] && b.known && b.state.Status == events.Error }
	for page := range slices.Chunk(o.keys(), pageKeys) {
		err := d.morgueJobs(ctx, o, page, func(list []*morgueJob) error {
			for _, b := range list {
				if chosen(b) {
					n++
				}
			}
			if o.DryRun {
				return nil
			}
			return d.removeFromMorgue(ctx, o, list, chosen)
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func inMorgue(s queue.KeySummary) bool { return s.Dead }
