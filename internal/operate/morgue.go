package operate

import (
	"context"

	"github.com/rollcall-dev/rollcall/queue"
)

// Discard deletes keys from the morgue, with all their jobs. Their rows stay in error: users may
// resubmit them.
func (d *Desk) Discard(ctx context.Context, o Order) (Result, error) {
	return d.perform(ctx, o, work{
		list: d.admin.Morgue, fits: isDead,
		do: o.counted(func(keys []string) (int, error) {
			n, err := d.admin.DeleteMorgue(ctx, o.Queue, keys...)
			return n, queueErr(err)
		}),
	})
}

func isDead(s queue.Standing) bool { return s.Dead }
