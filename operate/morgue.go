package operate

import (
	"context"

	"github.com/rollcall-dev/rollcall/queue"
)

// Discard deletes keys from the morgue, with all their jobs, and returns how
// many there were. Their rows stay in error: people may have them run again.
func (d *Desk) Discard(ctx context.Context, o Order) (int, error) {
	return o.pages(ctx, d.admin.Morgue, queue.Query{}, func(keys []string) (int, error) {
		n, err := d.admin.DeleteMorgue(ctx, o.Queue, keys...)
		return n, queueErr(err)
	})
}
