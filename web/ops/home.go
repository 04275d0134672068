package ops

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsHomePage is how all queues are, the one that lags most first. Total, Full and History
// are for the owner.
type opsHomePage struct {
	opsFrame
	Queues  []opsQueueRow
	Total   opsQueueRow
	Full    *queue.Memory // of Redis, if it takes no more
	History opsHistory
}

// opsQueueRow is one queue of the overview, or all of them.
type opsQueueRow struct {
	view.Queue
	Now    opsPoint
	State  opsState
	Faults []opsFault
}

// Shared reports whether the row has the figures that all tenants share.
func (r opsQueueRow) Shared() bool { return r.QueueTotals != nil }

// opsHome serves GET /ops.
func (p *Handlers) opsHome(c *gin.Context) error {
	list, err := p.Explain.Queues(c.Request.Context(), string(request.Printer(c)))
	if err != nil {
		return err
	}
	v := opsHomePage{opsFrame: p.opsFrame(c, request.Printer(c).Text("ops.door.queues"), "/ops"), History: p.history()}
	v.Refresh, v.Total.QueueTotals = true, &view.QueueTotals{}
	if v.Full, err = p.fullRedis(c); err != nil {
		return err
	}
	for i := range list {
		row, err := p.opsQueueRow(c, &list[i], &v.History)
		if err != nil {
			return err
		}
		v.Queues = append(v.Queues, row)
		if v.Owner {
			v.Total.add(row)
		}
	}
	slices.SortStableFunc(v.Queues, func(a, b opsQueueRow) int {
		return cmp.Or(cmp.Compare(b.Lag, a.Lag), strings.Compare(a.Name, b.Name))
	})
	return p.Render.Page(c, http.StatusOK, "ops_home.html", v)
}

// fullRedis returns the memory of a Redis that takes no more, for the owner; else nil.
func (p *Handlers) fullRedis(c *gin.Context) (*queue.Memory, error) {
	if !request.Caller(c).May(access.ServiceRead) {
		return nil, nil
	}
	m, err := p.Queue.Admin().Memory(c.Request.Context())
	if err != nil || !m.Full() {
		return nil, manage.QueueProblem(err)
	}
	return &m, nil
}

// opsQueueRow returns how a queue is. For the owner it adds the queue to a history.
func (p *Handlers) opsQueueRow(c *gin.Context, q *view.Queue, h *opsHistory) (row opsQueueRow, err error) {
	if q.QueueTotals == nil {
		return opsQueueRow{Queue: *q, State: queueStateWords(request.Printer(c), q)}, nil
	}
	samples, err := p.Queue.Admin().History(c.Request.Context(), q.Name, h.since)
	if err != nil {
		return row, manage.QueueProblem(err)
	}
	now := queue.Sample{
		At: p.Now(), Length: q.Length, Retries: q.Retries, Busy: q.Busy, MorgueLength: q.MorgueLength,
		Lag: time.Duration(q.Lag * float64(time.Second)), Processed: q.Processed, Failed: q.Failed,
	}
	row = opsQueueRow{Queue: *q, Now: h.add(samples, now), State: queueStateWords(request.Printer(c), q)}
	row.Faults, err = p.opsFaults(c, q.Name)
	return row, err
}

// add adds a queue to the sum of all; their lag is the longest.
func (r *opsQueueRow) add(q opsQueueRow) {
	r.Backlog += q.Backlog
	r.Length, r.Fresh, r.Retries = r.Length+q.Length, r.Fresh+q.Fresh, r.Retries+q.Retries
	r.Busy, r.MorgueLength = r.Busy+q.Busy, r.MorgueLength+q.MorgueLength
	r.Processed, r.Failed = r.Processed+q.Processed, r.Failed+q.Failed
	r.Lag = max(r.Lag, q.Lag)
	r.Now.add(q.Now)
}
