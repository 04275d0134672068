package ops

import (
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// faultsShown is the time for which pages of operators show a Redis script after its last failure.
const faultsShown = time.Hour

// opsFault holds the failures of one Redis script of a queue.
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

// The overview of the owner counts the rows in error of at most faultTenants tenants. For each tenant, it reads
// at most faultImports imports with such rows. It also reads the newestTasks newest tasks of the service, because
// no index finds exports and tasks of Go programs.
const (
	faultTenants = 200
	faultImports = 50
	newestTasks  = 50
)

// tenantCount is a number of keys or rows of a tenant.
type tenantCount struct {
	Name  string
	Count int64
}

// inError holds the numbers of rows of a queue that have the status error in the ledger. Own is for the user's
// tenant. Others is for other tenants, and only for the owner.
type inError struct {
	Own    int64
	Others []tenantCount
}

// Sum returns the number of rows of all tenants.
func (e inError) Sum() int64 {
	n := e.Own
	for _, t := range e.Others {
		n += t.Count
	}
	return n
}

// without returns the counts without the tenants in `others` and, if `own` is true, without the user's
// tenant.
func (e inError) without(own bool, others []tenantCount) inError {
	if own {
		e.Own = 0
	}
	e.Others = slices.DeleteFunc(slices.Clone(e.Others), func(t tenantCount) bool {
		return slices.ContainsFunc(others, func(o tenantCount) bool { return o.Name == t.Name })
	})
	return e
}

// inErrorByQueue counts the rows in error of each queue, in the newest rows.FaultTasks tasks of the
// user's tenant. For the owner, it also counts rows of other tenants, within the limits faultTenants,
// faultImports and newestTasks.
func (p *Handlers) inErrorByQueue(c *gin.Context) (map[string]inError, error) {
	ctx, tenants, counts := c.Request.Context(), p.Manage.TenantsByCaller(c.Request.Context()), map[string]inError{}
	own, err := tenants.FaultRows(ctx, request.Tenant(c), rows.FaultTasks)
	if err != nil {
		return nil, err
	}
	for kind, n := range own {
		counts[kind] = inError{Own: n}
	}
	if !request.Caller(c).May(access.ServiceRead) {
		return counts, nil
	}
	all, err := tenants.ServiceFaultRows(ctx, faultTenants, faultImports, newestTasks)
	for _, f := range all {
		if f.Tenant != request.Tenant(c) {
			e := counts[f.Kind]
			e.Others = append(e.Others, tenantCount{f.Tenant, f.Rows})
			counts[f.Kind] = e
		}
	}
	return counts, err
}

// countInError sets the number of rows in error of each queue of the overview.
func (p *Handlers) countInError(c *gin.Context, v *opsHomePage) error {
	counts, err := p.inErrorByQueue(c)
	for i := range v.Queues {
		q := &v.Queues[i]
		q.InError = counts[q.Name]
		v.Total.InError.Own += q.InError.Sum()
	}
	return err
}

// tenantCounts returns a text that lists tenants with their counts.
func tenantCounts(in locale.Printer, list []tenantCount) string {
	var names []string
	for _, t := range list {
		names = append(names, render.Shown(t.Name)+" ("+in.Integer(t.Count)+")")
	}
	return strings.Join(names, in.Text("list"))
}

// tenantsLinked is the greatest number of tenants to which an alarm links.
const tenantsLinked = 3

// tenantLinks returns links to the pages of the first tenants.
func (v *opsHomePage) tenantLinks(list []tenantCount) (out []opsAlarmAct) {
	for _, t := range list[:min(len(list), tenantsLinked)] {
		out = append(out, opsAlarmAct{Words: v.in.Text("ops.alarm.dead.open", "tenant", render.Shown(t.Name)), At: opsTenantAt(t.Name)})
	}
	return out
}

// faultAlarm returns the alarm that a queue has rows in error.
func (v *opsHomePage) faultAlarm(q *opsQueueRow, e inError) opsAlarm {
	a := opsAlarm{
		ID: "alarm-" + q.Name + "-errors", Tone: render.ToneWarn, Title: v.in.Text("ops.alarm.faults", "n", e.Sum()),
	}
	if e.Own > 0 {
		a.Text = v.in.Text("ops.alarm.faults.why", "n", e.Own)
		a.Acts = append(a.Acts, v.link("ops.alarm.errors", errorsPath))
	}
	if len(e.Others) > 0 {
		a.Text = strings.TrimSpace(a.Text + " " + v.in.Text("ops.alarm.faults.others", "tenants", tenantCounts(v.in, e.Others)))
		a.Acts = append(a.Acts, v.tenantLinks(e.Others)...)
	}
	return a
}
