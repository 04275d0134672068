package ops

import (
	"cmp"
	"net/url"
	"slices"

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

// opsHotKey is a key whose first job has waited long.
type opsHotKey struct {
	Queue string
	view.QueueKey
}

// At returns the path of the list of the key's jobs.
func (k opsHotKey) At() string {
	return opsQueueAt(k.Queue, "waiting") + "?" + url.Values{"prefix": {k.ID}}.Encode()
}

// hotKeys returns the keys of the user's tenant that have waited longest, from the queues with the
// longest lag.
func (p *Handlers) hotKeys(c *gin.Context, queues []opsQueueRow) (out []opsHotKey, err error) {
	now := *textutil.Instant(p.Now().UnixMilli())
	for i := range queues[:min(len(queues), hotQueues)] {
		if queues[i].Lag < 1 {
			break
		}
		q := queue.Query{By: queue.ByRunAt, Limit: hotShown}
		page, err := p.Manage.WaitingKeys(c.Request.Context(), request.Tenant(c), queues[i].Name, q)
		if err != nil {
			return nil, err
		}
		for _, k := range page.Items {
			if k.PerformIn != nil && *k.PerformIn <= now {
				out = append(out, opsHotKey{queues[i].Name, k})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b opsHotKey) int {
		return cmp.Or(compareTimes(a.PerformIn, b.PerformIn), cmp.Compare(b.Count, a.Count))
	})
	return out[:min(len(out), hotShown)], nil
}
