package ops

import (
	"cmp"
	"net/url"
	"sort"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/explain"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// In a healthy queue, each row that may run waits less than lateAfter. If the oldest row has waited for
// veryLateAfter, the overview shows an alarm even if all workers are busy.
const (
	lateAfter     = time.Minute
	veryLateAfter = 10 * time.Minute
)

// opsAlarm is a problem of the service, with its reason, and buttons and links that help to solve it.
type opsAlarm struct {
	ID, Tone    string
	Title, Text string
	Note        string // the reason that the user gave for pausing the queue; "" for none
	At          *string
	Acts        []opsAlarmAct
}

// opsAlarmAct is a button or a link of an alarm.
type opsAlarmAct struct {
	Words, At string
	Fields    []opsField // fields of the form; nil for a link
}

// setAlarms sets the alarms and the headline of the overview.
func (p *Handlers) setAlarms(c *gin.Context, v *opsHomePage) error {
	full, err := p.fullRedis(c)
	if err != nil {
		return err
	}
	if full != nil {
		v.Alarms = append(v.Alarms, opsAlarm{
			ID: "alarm-redis", Tone: render.ToneBad, Title: v.in.Text("ops.alarm.full"),
			Text: v.in.Text("ops.home.full", "used", v.in.Bytes(full.Used), "most", v.in.Bytes(full.Most)),
		})
	}
	ill := 0
	for i := range v.Queues {
		q := &v.Queues[i]
		list, err := p.alarmsOf(c, v, q)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			ill++
			q.State = q.State.withAlarms(v.in)
		}
		v.Alarms = append(v.Alarms, list...)
	}
	sort.SliceStable(v.Alarms, func(i, j int) bool { return urgency(v.Alarms[i].Tone) < urgency(v.Alarms[j].Tone) })
	switch all := len(v.Queues); {
	case all == 0:
		v.Headline = v.in.Text("ops.home.none")
	case ill > 0:
		v.Headline = v.in.Text("ops.home.ill", "n", ill, "all", all)
	case len(v.Alarms) > 0:
		v.Headline = v.Alarms[0].Title
	default:
		v.Headline = v.in.Text("ops.home.well", "n", all)
	}
	return nil
}

// urgency returns a number that orders tones, the most urgent first.
func urgency(tone string) int { return strings.Index(render.ToneBad+render.ToneWarn, tone) }

// alarmsOf returns the alarms about a queue. If no operator needs to act on a reason, alarmsOf sets the
// note of the queue instead of an alarm.
func (p *Handlers) alarmsOf(c *gin.Context, v *opsHomePage, q *opsQueueRow) (out []opsAlarm, err error) {
	for _, r := range q.Reasons {
		if r.Code == explain.OutsideRunHours || r.Code == "FILE_UNREAD" && !q.Late() {
			q.Note = r.Detail
			continue
		}
		a, err := p.alarmOf(c, v, q, r)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(out) == 0 {
		out = append(out, v.slowKeyAlarm(q)...)
	}
	if len(out) == 0 && q.Late() {
		out = append(out, v.lateAlarm(q)...)
	}
	dead, err := p.deadAlarms(c, v, q)
	if err != nil {
		return nil, err
	}
	out = append(out, dead...)
	for i := range out {
		out[i].Title = p.queueTitle(c, q.Name) + ": " + out[i].Title
	}
	return out, nil
}

// deadAlarms returns the alarms about jobs of a queue that are retried no more. Only the owner gets the
// alarm about dead keys, which are in the morgue in Redis. The alarm about rows in error in the database
// leaves out tenants with dead keys, because both alarms would count the same jobs. If Redis has lost the
// dead keys, for example at a restart of an embedded service, only the alarm about rows remains.
func (p *Handlers) deadAlarms(c *gin.Context, v *opsHomePage, q *opsQueueRow) (out []opsAlarm, err error) {
	var mine int64
	var others []tenantCount
	if q.Shared() && q.MorgueLength > 0 {
		if mine, others, err = p.deadKeys(c, q.Name); err != nil {
			return nil, err
		}
		out = append(out, v.deadAlarm(q, mine, others))
	}
	if left := q.InError.without(mine > 0, others); left.Sum() > 0 {
		out = append(out, v.faultAlarm(q, left))
	}
	return out, nil
}

// alarmOf returns the alarm for a reason why a queue makes no progress.
func (p *Handlers) alarmOf(c *gin.Context, v *opsHomePage, q *opsQueueRow, r view.Reason) (opsAlarm, error) {
	st := standstillStates[r.Code]
	a := opsAlarm{
		ID: "alarm-" + q.Name + "-" + strings.ToLower(r.Code), Tone: st.Tone, At: r.At,
		Title: v.in.Text(st.Words), Text: r.Detail + " " + textutil.Deref(r.Hint),
	}
	if waits := q.Backlog + q.InLedger; waits > 0 {
		a.Text = strings.TrimSpace(a.Text) + " " + v.in.Text("ops.alarm.waits", "n", max(q.Backlog, q.InLedger))
	}
	a.Acts = append(v.alarmActs(q, r.Code), v.link("ops.alarm.open", opsQueueAt(q.Name, "")))
	if r.Code != "QUEUE_PAUSED" {
		return a, nil
	}
	return a, p.notePause(c, q.Name, &a)
}

// alarmActs returns the buttons and links that help to remove the cause of an alarm, and that the user may
// use.
func (v *opsHomePage) alarmActs(q *opsQueueRow, code string) []opsAlarmAct {
	switch code {
	case "QUEUE_PAUSED":
		if v.Owner {
			return []opsAlarmAct{v.act(v.in.Text("ops.alarm.resume", "name", render.Shown(v.KindName(q.Name).Title)), opsQueueAt(q.Name, "control/resume"))}
		}
	case "NO_WORKER", "SHARD_UNOWNED":
		return v.workersAct()
	case "NO_PROGRESS":
		return []opsAlarmAct{v.link("ops.alarm.runs", opsQueueAt(q.Name, "busy"))}
	case "TENANT_PAUSED":
		if v.May {
			return []opsAlarmAct{v.act(v.in.Text("ops.tenant.resume"), limitsPath+"/resume")}
		}
	case "TENANT_SLOTS":
		return []opsAlarmAct{v.link("ops.door.limits", limitsPath)}
	case "TENANTS_PAUSED", "TENANTS_SLOTS":
		if v.Owner {
			return []opsAlarmAct{v.link("ops.door.tenants", tenantsPath)}
		}
	}
	return nil
}

// workersAct returns a link to the page of nodes and, for each draining node, a button that ends the
// draining. For users other than the owner, it returns nothing.
func (v *opsHomePage) workersAct() (out []opsAlarmAct) {
	for i := range v.Nodes {
		if n := &v.Nodes[i]; n.Draining {
			out = append(out, v.act(v.in.Text("ops.alarm.undrain", "name", render.Shown(n.Name)), "/ops/nodes/"+url.PathEscape(n.Name)+"/undrain"))
		}
	}
	if v.Owner {
		out = append(out, v.link("ops.door.nodes", "/ops/nodes"))
	}
	return out
}

// act returns a button that executes an act without a confirmation, and then opens the overview.
func (v *opsHomePage) act(words, at string) opsAlarmAct {
	return opsAlarmAct{Words: words, At: at, Fields: []opsField{{"meant", "yes"}, {"to", "/ops"}}}
}

func (v *opsHomePage) link(key, at string) opsAlarmAct {
	return opsAlarmAct{Words: v.in.Text(key), At: at}
}

// pauseEntries is the number of audit entries that notePause searches for the pause of a queue.
const pauseEntries = 200

// notePause adds the actor, the time and the reason of the last pause of a queue to the alarm `a`. It adds
// nothing if no such pause is among the last pauseEntries audit entries that the user may see.
func (p *Handlers) notePause(c *gin.Context, queue string, a *opsAlarm) error {
	ctx := c.Request.Context()
	list, err := p.Audit.List(ctx, audit.Operators(request.Tenant(c)), 0, pauseEntries, manage.OwnersAudit(ctx)...)
	if err != nil {
		return err
	}
	for i := range list {
		if e := &list[i]; e.Act == "pause" && e.Target == queue && e.Touched > 0 {
			a.At, a.Note = textutil.Instant(e.At), manage.NoteOf(e)
			names, err := render.NamesOf(ctx, p.Render, request.Tenant(c), list[i:i+1], func(e *audit.Entry) string { return e.Actor })
			a.Text = request.Printer(c).Text("ops.alarm.by", "who", render.Shown(cmp.Or(names[e.Actor], e.Actor))) + " " + a.Text
			return err
		}
	}
	return nil
}
