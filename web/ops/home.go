package ops

import (
	"net/http"
	"sort"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsHomePage holds the data of the overview: alarms, then queues, keys that have waited for hotAfter or
// longer, and workers. Only the owner sees Nodes, History, and the numbers of Total from Redis.
type opsHomePage struct {
	opsFrame
	Headline string
	Alarms   []opsAlarm
	Figures  []opsFigure
	Queues   []opsQueueRow
	Hot      []opsHotKey
	Nodes    []opsNode
	Total    opsQueueRow
	History  opsHistory
}

// opsQueueRow is one queue of the overview, or the sum of all queues.
type opsQueueRow struct {
	view.Queue
	Now     opsPoint
	State   opsState
	Faults  []opsFault
	Slots   int      // greatest number of jobs, of any queue, that the workers of this queue can run at once
	Idle    int      // number of free slots
	Hidden  int      // jobs of the user's tenant that were fetched and are not in Runs
	Runs    []opsRun // some running jobs of the user's tenant
	Note    string   // reason for waiting that needs no act; "" for none
	Stalled tasks.Stalled
	InError inError
	Spark   opsLine // jobs done a second in the last hour

	attempts, failed int64 // numbers of attempts and of failed attempts in the last hour
}

// Shared reports whether the row has the numbers of all tenants, which only the owner sees.
func (r opsQueueRow) Shared() bool { return r.QueueTotals != nil }

// Others returns the number of fetched jobs of the user's tenant, besides the job that has run longest.
func (r opsQueueRow) Others() int { return r.Hidden + max(len(r.Runs)-1, 0) }

// Late reports whether the oldest row that may run has waited for lateAfter or longer.
func (r opsQueueRow) Late() bool { return r.Lag >= lateAfter.Seconds() }

// FailedShare returns the percentage of attempts in the last hour that queue.Stats counts as
// failed; 0 without attempts.
func (r opsQueueRow) FailedShare() float64 {
	if r.attempts == 0 {
		return 0
	}
	return 100 * float64(r.failed) / float64(r.attempts)
}

// opsHome serves GET /ops.
func (p *Handlers) opsHome(c *gin.Context) error {
	in := request.Printer(c)
	list, err := p.Explain.Queues(c.Request.Context(), string(in))
	if err != nil {
		return err
	}
	v := opsHomePage{opsFrame: p.opsFrame(c, in.Text("ops.door.queues"), "/ops"), History: p.history()}
	v.Refresh, v.Total.QueueTotals = true, &view.QueueTotals{}
	if v.Owner {
		if v.Nodes, err = p.opsNodeList(c); err != nil {
			return err
		}
	}
	for i := range list {
		row, err := p.opsQueueRow(c, &list[i].Queue, &v.History, v.Nodes)
		if err != nil {
			return err
		}
		row.Stalled = list[i].Stalled
		v.Queues = append(v.Queues, row)
		v.Total.add(row)
	}
	sort.SliceStable(v.Queues, func(i, j int) bool {
		a, b := &v.Queues[i], &v.Queues[j]
		return a.Lag > b.Lag || a.Lag == b.Lag && a.Name < b.Name
	})
	if err := p.countInError(c, &v); err != nil {
		return err
	}
	v.Figures = figures(in, &v)
	if err := p.setAlarms(c, &v); err != nil {
		return err
	}
	if v.Hot, err = p.hotKeys(c, v.Queues); err != nil {
		return err
	}
	return p.Render.Page(c, http.StatusOK, "ops_home.html", v)
}

// fullRedis returns the memory usage of Redis if Redis is full and the caller is the owner. Otherwise,
// it returns nil.
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

// opsQueueRow returns the row of a queue. It adds the running jobs of the user's tenant to the nodes
// that run them. For the owner, it also adds the queue to the history.
func (p *Handlers) opsQueueRow(c *gin.Context, q *view.Queue, h *opsHistory, nodes []opsNode) (row opsQueueRow, err error) {
	row = opsQueueRow{Queue: *q}
	if err := p.addRunning(c, &row, nodes); err != nil {
		return row, err
	}
	row.State = queueStateWords(request.Printer(c), q, len(row.Runs) > 0)
	if q.QueueTotals == nil {
		return row, nil
	}
	samples, err := p.Queue.Admin().History(c.Request.Context(), q.Name, h.since)
	if err != nil {
		return row, manage.QueueProblem(err)
	}
	now := queue.Sample{
		At: p.Now(), Length: q.Length, Retries: q.Retries, Busy: q.Busy, MorgueLength: q.MorgueLength,
		Lag: time.Duration(q.Lag * float64(time.Second)), Processed: q.Processed, Failed: q.Failed,
	}
	row.Spark = sparkline(samples, now, h.since)
	row.attempts, row.failed = attemptsSince(samples, now)
	row.Now = h.add(samples, now)
	row.Faults, err = p.opsFaults(c, q.Name)
	return row, err
}

// attemptsSince returns the number of attempts since the first sample, and how many of these
// attempts failed.
func attemptsSince(samples []queue.Sample, now queue.Sample) (all, failed int64) {
	if len(samples) == 0 {
		return 0, 0
	}
	first := samples[0]
	failed = max(now.Failed-first.Failed, 0)
	return failed + max(now.Processed-first.Processed, 0), failed
}

// add adds a queue to the sum of all queues. The lag and the name of the sum are those of the queue with
// the longest lag. The name is "" while no row waits.
func (r *opsQueueRow) add(q opsQueueRow) {
	r.Backlog, r.InLedger = r.Backlog+q.Backlog, r.InLedger+q.InLedger
	r.Stalled.Add(q.Stalled)
	r.attempts, r.failed = r.attempts+q.attempts, r.failed+q.failed
	if q.Lag > r.Lag {
		r.Lag, r.Name = q.Lag, q.Name
	}
	if !q.Shared() {
		return
	}
	r.Length, r.Fresh, r.Retries = r.Length+q.Length, r.Fresh+q.Fresh, r.Retries+q.Retries
	r.Busy, r.MorgueLength = r.Busy+q.Busy, r.MorgueLength+q.MorgueLength
	r.Processed, r.Failed = r.Processed+q.Processed, r.Failed+q.Failed
	r.Now.add(q.Now)
}
