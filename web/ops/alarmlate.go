package ops

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// slowKeyRows is the least number of rows of one key that must wait for a running row before the overview
// shows an alarm.
const slowKeyRows = 100

// slowKeyAlarm returns the alarm that slowKeyRows or more rows of one key wait for a running row. Only the
// owner gets this alarm, and only while the workers of the queue have at least half of their capacity free.
// Otherwise, slowKeyAlarm returns nil.
func (v *opsHomePage) slowKeyAlarm(q *opsQueueRow) []opsAlarm {
	if !q.Shared() || q.Slots == 0 || 2*q.Idle < q.Slots || len(q.Runs) == 0 {
		return nil
	}
	run := slices.MaxFunc(q.Runs, func(a, b opsRun) int { return cmp.Compare(a.Waiting, b.Waiting) })
	if run.Waiting < slowKeyRows {
		return nil
	}
	a := opsAlarm{
		ID: "alarm-" + q.Name + "-key", Tone: render.ToneWarn,
		Title: v.in.Text("ops.alarm.key", "key", render.Shown(run.Key), "n", q.Idle, "all", q.Slots),
		Text:  v.in.Text("ops.alarm.key.why", "key", render.Shown(run.Key), "n", run.Waiting),
		Acts:  []opsAlarmAct{v.link("ops.alarm.open_key", opsQueueAt(q.Name, "waiting")+"?"+url.Values{"prefix": {run.Key}}.Encode())},
	}
	if run.At != "" {
		a.Acts = append(a.Acts, v.link("ops.alarm.open_job", run.At), v.link("ops.alarm.open_task", "/tasks/"+run.Task))
	}
	return []opsAlarm{a}
}

// lateAlarm returns the alarm that the oldest row of a queue has waited too long. For the owner, if at
// least half of the workers' capacity is free, the alarm explains that rows of one key run one after
// another. In any other case, there is an alarm only if the row has waited for at least veryLateAfter.
func (v *opsHomePage) lateAlarm(q *opsQueueRow) []opsAlarm {
	a := opsAlarm{ID: "alarm-" + q.Name + "-behind", Tone: render.ToneWarn}
	very := q.Lag >= veryLateAfter.Seconds()
	if very {
		a.Tone = render.ToneBad
	}
	wait := v.in.Duration(int64(q.Lag))
	switch {
	case q.Shared() && q.Slots > 0 && 2*q.Idle >= q.Slots:
		a.Title = v.in.Text("ops.alarm.keys", "n", q.Idle, "all", q.Slots)
		a.Text = v.in.Text("ops.alarm.keys.why", "time", wait, "keys", strings.Join(q.runKeys(), ", "))
		if len(q.Runs) == 0 {
			a.Text = v.in.Text("ops.alarm.keys.some", "time", wait)
		}
		a.Acts = append(a.Acts, v.link("ops.alarm.open_keys", opsQueueAt(q.Name, "keys")), v.link("ops.alarm.runs", opsQueueAt(q.Name, "busy")))
	case !very:
		return nil
	default:
		a.Title = v.in.Text("ops.alarm.late")
		a.Text = v.in.Text("ops.alarm.late.why", "time", wait, "busy", v.in.Text("ops.of", "n", q.Slots-q.Idle, "all", q.Slots))
		if !q.Shared() {
			a.Text = v.in.Text("ops.alarm.late.tenant", "time", wait)
		}
		if left := v.timeLeft(q); left != "" {
			a.Text += " " + left
		}
		a.Acts = v.workersAct()
	}
	a.Acts = append(a.Acts, v.link("ops.alarm.open", opsQueueAt(q.Name, "")))
	return []opsAlarm{a}
}

// timeLeft returns a text about how long the waiting rows take at the present rate. It returns "" if the
// rate is 0.
func (v *opsHomePage) timeLeft(q *opsQueueRow) string {
	if q.Now.Done <= 0 {
		return ""
	}
	return v.in.Text("ops.alarm.left", "n", q.Backlog, "rate", v.in.Rate(q.Now.Done), "time", v.in.Duration(int64(float64(q.Backlog)/q.Now.Done)))
}

func (r opsQueueRow) runKeys() (out []string) {
	for _, run := range r.Runs {
		out = append(out, render.Shown(run.Key))
	}
	return out
}

// deadKeys counts the dead keys of a queue, which are in its morgue. It returns the number for the caller's
// tenant, and the other tenants with their numbers, sorted by name.
func (p *Handlers) deadKeys(c *gin.Context, name string) (mine int64, others []tenantCount, err error) {
	counts := map[string]int64{}
	err = p.Queue.Admin().EachDead(c.Request.Context(), name, func(key string) {
		if tenant, _, ok := strings.Cut(key, "/"); ok {
			counts[tenant]++
		}
	})
	for _, tenant := range slices.Sorted(maps.Keys(counts)) {
		if tenant != request.Tenant(c) {
			others = append(others, tenantCount{tenant, counts[tenant]})
		}
	}
	return counts[request.Tenant(c)], others, manage.QueueProblem(err)
}

// deadAlarm returns the alarm that the morgue of a queue contains keys. The argument `mine` is the number
// of dead keys of the caller's tenant. The caller can list and run only these keys. The argument
// `others` lists the other tenants with dead keys.
func (v *opsHomePage) deadAlarm(q *opsQueueRow, mine int64, others []tenantCount) opsAlarm {
	a := opsAlarm{
		ID: "alarm-" + q.Name + "-dead", Tone: render.ToneWarn,
		Title: v.in.Text("ops.alarm.dead", "n", q.MorgueLength), Text: v.in.Text("ops.alarm.dead.why"),
	}
	names := tenantCounts(v.in, others)
	if len(others) > 0 {
		a.Text += " " + v.in.Text("ops.alarm.dead.tenants", "n", mine, "tenants", names)
	}
	if mine == 0 && len(others) == 0 {
		a.Acts = append(a.Acts, v.link("ops.door.tenants", tenantsPath))
		return a
	}
	if mine == 0 {
		a.Text = v.in.Text("ops.keys.dead_others", "tenants", names)
		a.Acts = v.tenantLinks(others)
		return a
	}
	a.Acts = append(a.Acts, v.link("ops.alarm.errors", errorsPath))
	if v.May {
		a.Acts = append(a.Acts, opsAlarmAct{
			Words: v.in.Text("ops.all.requeue"), At: opsQueueAt(q.Name, "acts"), Fields: []opsField{{"act", "requeue"}, {"all", "yes"}},
		})
	}
	a.Acts = append(a.Acts, v.link("ops.alarm.open_dead", opsQueueAt(q.Name, "morgue")))
	return a
}
