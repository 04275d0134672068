package ops

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// faultsShown is the time that a failed script stays on the pages of operators.
const faultsShown = time.Hour

// opsFault is a failed script of a queue in Redis.
type opsFault struct {
	Script, Shard, Err string
	Count              int64
	Since, Last        *string
	Repeats            bool // the script still fails
}

// opsFaults returns the scripts of a queue that have failed in the last hour, the
// latest first.
func (p *Handlers) opsFaults(c *gin.Context, queue string) ([]opsFault, error) {
	now := p.Now()
	list, err := p.Queue.Admin().ScriptFaults(c.Request.Context(), queue, now.Add(-faultsShown))
	if err != nil {
		return nil, manage.QueueProblem(err)
	}
	var out []opsFault
	for _, f := range list {
		out = append(out, opsFault{
			Script: f.Script, Shard: f.Shard, Err: f.Err, Count: f.Count,
			Since: textutil.Instant(f.Since.UnixMilli()), Last: textutil.Instant(f.Last.UnixMilli()), Repeats: f.Repeats(now),
		})
	}
	return out, nil
}
