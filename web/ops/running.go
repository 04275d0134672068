package ops

import (
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// How many running jobs of a queue the overview reads, and how many its table shows.
const (
	runsRead  = 20
	runsShown = 3
)

// opsRun is a job that runs: its key, its row and since when.
type opsRun struct {
	Key   string
	At    string // page of the row; "" of a kind without rows
	Node  string
	Since *string
}

// running adds the jobs that run to the row of a queue, and to the nodes that run them. It shows
// jobs of the tenant of the reader.
func (p *Handlers) running(c *gin.Context, row *opsQueueRow, nodes []opsNode) error {
	for i := range nodes {
		if len(nodes[i].Shards[row.Name]) > 0 {
			row.Slots += nodes[i].Concurrency
		}
	}
	if row.Shared() && row.Busy == 0 {
		return nil
	}
	ctx := c.Request.Context()
	keys, err := p.Manage.BusyKeys(ctx, request.Tenant(c), row.Name, runsRead)
	if err != nil || len(keys) == 0 {
		return err
	}
	runs, err := p.runsOf(ctx, keys)
	if err != nil {
		return err
	}
	for i := range nodes {
		for _, r := range runs {
			if r.Node == nodes[i].Name && len(nodes[i].Runs) < runsShown {
				nodes[i].Runs = append(nodes[i].Runs, r)
			}
		}
	}
	row.Runs = runs[:min(len(runs), runsShown)]
	return nil
}

// runsOf returns the jobs of keys in flight that have begun, the longest first. A key whose job
// the ledger does not show as running was fetched and waits for its turn.
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
		k, run := &keys[i], opsRun{Key: keys[i].ID, Node: textutil.Deref(keys[i].Node)}
		if len(k.Payloads) > 0 && k.Payloads[0].EventID != nil {
			since, runs := begun[*k.Payloads[0].EventID]
			if !runs {
				continue
			}
			run.At, run.Since = rowsDoor+"/"+*k.Payloads[0].EventID, textutil.Instant(since)
		}
		out = append(out, run)
	}
	slices.SortStableFunc(out, func(a, b opsRun) int { return compareTimes(a.Since, b.Since) })
	return out, nil
}

// compareTimes orders times as text, unknown ones last.
func compareTimes(a, b *string) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	case *a < *b:
		return -1
	}
	return 1
}

