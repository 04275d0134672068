package ops

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/web/render"
)

// slowKeyRows is the least number of rows of a key behind a running row for which an alarm is shown.
const slowKeyRows = 100

// slowKey returns the alarm of a queue with mostly idle workers and many rows that wait for a running
// row of their key.
func (v *opsHomePage) slowKey(q *opsQueueRow) []opsAlarm {
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

// behind returns the alarm of a moving queue whose oldest row waits too long. Either workers are idle
// because rows of one key run one after another, or all workers are busy.
func (v *opsHomePage) behind(q *opsQueueRow) []opsAlarm {
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
		if left := v.left(q); left != "" {
			a.Text += " " + left
		}
		a.Acts = v.workersAct()
	}
	a.Acts = append(a.Acts, v.link("ops.alarm.open", opsQueueAt(q.Name, "")))
	return []opsAlarm{a}
}

// left returns the time that the backlog takes at the present rate, or "" without a rate.
func (v *opsHomePage) left(q *opsQueueRow) string {
	if q.Now.Done <= 0 {
		return ""
	}
	return v.in.Text("ops.alarm.left", "n", q.Backlog, "rate", v.in.Rate(q.Now.Done), "time", v.in.Duration(int64(float64(q.Backlog)/q.Now.Done)))
}

// runKeys returns the keys of jobs that run.
func (r opsQueueRow) runKeys() (out []string) {
	for _, run := range r.Runs {
		out = append(out, render.Shown(run.Key))
	}
	return out
}

// dead returns the alarm of dead jobs.
func (v *opsHomePage) dead(q *opsQueueRow) opsAlarm {
	a := opsAlarm{
		ID: "alarm-" + q.Name + "-dead", Tone: render.ToneWarn,
		Title: v.in.Text("ops.alarm.dead", "n", q.MorgueLength), Text: v.in.Text("ops.alarm.dead.why"),
	}
	a.Acts = append(a.Acts, v.link("ops.alarm.errors", errorsDoor))
	if v.May {
		a.Acts = append(a.Acts, opsAlarmAct{
			Words: v.in.Text("ops.all.requeue"), At: opsQueueAt(q.Name, "acts"), Fields: []opsField{{"act", "requeue"}, {"all", "yes"}},
		})
	}
	a.Acts = append(a.Acts, v.link("ops.alarm.open_dead", opsQueueAt(q.Name, "morgue")))
	return a
}
