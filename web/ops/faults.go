package ops

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/manage"
)

// faultsShown is the time for which pages of operators show a Redis script after its last failure.
const faultsShown = time.Hour

// opsFault is a Redis script of a queue that has failed.
type opsFault struct {
	Script, Shard, Err string
	Count              int64
	Since, Last        *string
	Repeats            bool // the script still fails
}

// opsFaults returns the Redis scripts of a queue that have failed within faultsShown. The latest failure
// comes first.
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
