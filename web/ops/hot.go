package ops

import (
	"cmp"
	"net/url"
	"slices"
	"sort"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// The overview shows at most hotShown keys, from the hotQueues queues with the longest lag.
const (
	hotShown  = 5
	hotQueues = 3
)

// hotAfter is the least waiting time of a key that the overview shows.
const hotAfter = time.Second

// opsHotKey is a key whose first job has waited for hotAfter or longer.
type opsHotKey struct {
	Queue string
	view.QueueKey
}

// At returns the path of the list of the key's jobs.
func (k opsHotKey) At() string {
	return opsQueueAt(k.Queue, "waiting") + "?" + url.Values{"prefix": {k.ID}}.Encode()
}

// mayBeHot reports whether keys of the user's tenant may have waited for hotAfter. For a user other than
// the owner, the lag ignores keys in Redis. For such a user, mayBeHot therefore returns true if any row may
// start.
func (r opsQueueRow) mayBeHot() bool {
	return r.Lag >= hotAfter.Seconds() || !r.Shared() && r.Backlog > 0
}

// hotKeys returns up to hotShown keys of the user's tenant that have waited longest, each for at least
// hotAfter. It reads the hotQueues queues with the longest lag, which come first in `queues`.
func (p *Handlers) hotKeys(c *gin.Context, queues []opsQueueRow) (out []opsHotKey, err error) {
	due := *textutil.Instant(p.Now().Add(-hotAfter).UnixMilli())
	queues = slices.DeleteFunc(slices.Clone(queues), func(r opsQueueRow) bool { return !r.mayBeHot() })
	for i := range queues[:min(len(queues), hotQueues)] {
		q := queue.Query{By: queue.ByRunAt, Limit: hotShown}
		page, err := p.Manage.WaitingKeys(c.Request.Context(), request.Tenant(c), queues[i].Name, q)
		if err != nil {
			return nil, err
		}
		for _, k := range page.Items {
			if k.PerformIn != nil && *k.PerformIn <= due {
				out = append(out, opsHotKey{queues[i].Name, k})
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(compareTimes(a.PerformIn, b.PerformIn), cmp.Compare(b.Count, a.Count)) < 0
	})
	return out[:min(len(out), hotShown)], nil
}
