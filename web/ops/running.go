package ops

import (
	"context"
	"sort"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// For each queue, the overview reads at most maxBusyRead keys in flight. It reads the rows of at most
// runsRead of these keys, and shows at most runsShown rows.
const (
	maxBusyRead = 500
	runsRead    = 20
	runsShown   = 3
)

// opsRun is a running job.
type opsRun struct {
	Key   string
	At    string // path of the row's page; "" for an untracked kind
	Node  string
	Since *string
	Task  string // id of the task; "" for an untracked kind

	Waiting int64 // rows of the key that wait for the job, in Redis and in the ledger
}

// addRunning adds the running jobs of the user's tenant to `row`, the table row of their queue, and to the
// nodes that run them. It also sets row.Slots and row.Idle, the capacity of the workers.
func (p *Handlers) addRunning(c *gin.Context, row *opsQueueRow, nodes []opsNode) error {
	for i := range nodes {
		if len(nodes[i].Shards[row.Name]) > 0 {
			row.Slots += nodes[i].Concurrency
		}
	}
	if row.Shared() { // Busy, unlike Running of the nodes, includes batches whose jobs share a transaction
		row.Idle = max(row.Slots-int(row.Busy), 0)
	}
	if row.Shared() && row.Busy == 0 {
		return nil
	}
	ctx := c.Request.Context()
	keys, err := p.Manage.BusyKeys(ctx, request.Tenant(c), row.Name, maxBusyRead)
	if err != nil || len(keys) == 0 {
		return err
	}
	sort.SliceStable(keys, func(i, j int) bool { return compareTimes(keys[i].PerformIn, keys[j].PerformIn) < 0 })
	runs, err := p.runsOf(ctx, keys[:min(len(keys), runsRead)])
	if err != nil {
		return err
	}
	if err := p.waitingBehind(c, row.Name, runs); err != nil {
		return err
	}
	for i := range nodes {
		nodes[i].take(runs)
	}
	row.Runs = runs[:min(len(runs), runsShown)]
	row.Hidden = len(keys) - len(row.Runs)
	return nil
}

// take adds the jobs that this node runs, at most runsShown. It raises Running to the number of jobs
// found on the node, but not above Concurrency.
func (n *opsNode) take(runs []opsRun) {
	for _, r := range runs {
		if r.Node != n.Name {
			continue
		}
		n.seen++
		if len(n.Runs) < runsShown {
			n.Runs = append(n.Runs, r)
		}
	}
	n.Running = min(max(n.Running, n.seen), n.Concurrency)
}

// runsOf returns the first job of each key in flight. The job that has run longest comes first. A job
// whose start is not in the ledger has no start time, and comes last.
func (p *Handlers) runsOf(ctx context.Context, keys []view.BusyKey) (out []opsRun, err error) {
	ids := make([]string, 0, len(keys))
	for i := range keys {
		if len(keys[i].Payloads) > 0 && keys[i].Payloads[0].EventID != nil {
			ids = append(ids, *keys[i].Payloads[0].EventID)
		}
	}
	begun, err := p.Rows.Begun(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range keys {
		k, run := &keys[i], opsRun{Key: keys[i].ID, Node: textutil.Deref(keys[i].Node), Waiting: int64(keys[i].Count - 1)}
		if len(k.Payloads) > 0 && k.Payloads[0].EventID != nil {
			since := begun[*k.Payloads[0].EventID]
			run.Task = textutil.Deref(k.Payloads[0].TaskID)
			run.At, run.Since = rowsPath+"/"+*k.Payloads[0].EventID, textutil.Instant(since)
		}
		out = append(out, run)
	}
	sort.SliceStable(out, func(i, j int) bool { return compareTimes(out[i].Since, out[j].Since) < 0 })
	return out, nil
}

// waitingBehind adds the number of rows of a key that wait in the ledger to the field Waiting of the key's
// running job.
func (p *Handlers) waitingBehind(c *gin.Context, queue string, runs []opsRun) error {
	keys := make([]string, len(runs))
	for i := range runs {
		keys[i] = runs[i].Key
	}
	held, err := p.Tasks.HeldBehind(c.Request.Context(), request.Tenant(c), queue, keys)
	for i := range runs {
		runs[i].Waiting += held[runs[i].Key]
	}
	return err
}

// compareTimes orders RFC 3339 times in UTC; nil comes last.
func compareTimes(a, b *string) int {
	switch {
	case a != nil && b != nil:
		return strings.Compare(*a, *b)
	case a != nil:
		return -1
	case b != nil:
		return 1
	}
	return 0
}
