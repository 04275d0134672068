package ops

import (
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsState is a state as a text with a color.
type opsState struct{ Words, Tone string }

// standstillStates maps the reasons why a queue makes no progress to the text and the color of its state.
var standstillStates = map[string]opsState{
	"QUEUE_PAUSED":      {"ops.state.paused", render.ToneWarn},
	"NO_WORKER":         {"ops.state.no_worker", render.ToneBad},
	"SHARD_UNOWNED":     {"ops.state.no_worker", render.ToneBad},
	"SCRIPT_FAILS":      {"ops.state.failing", render.ToneBad},
	"NO_PROGRESS":       {"ops.state.stuck", render.ToneBad},
	"NOT_PUSHED":        {"ops.state.stuck", render.ToneBad},
	"OUTSIDE_RUN_HOURS": {"ops.state.outside_hours", render.ToneWait},
	"TENANT_PAUSED":     {"ops.state.tenant_paused", render.ToneWarn},
	"TENANTS_PAUSED":    {"ops.state.tenant_paused", render.ToneWarn},
	"TENANT_SLOTS":      {"ops.state.no_slots", render.ToneWarn},
	"TENANTS_SLOTS":     {"ops.state.no_slots", render.ToneWarn},
	"FILE_UNREAD":       {"ops.state.unread", render.ToneWarn},
}

// queueStateWords returns the state of a queue as a text with a color. If the queue makes no progress,
// the first reason determines the state. A queue whose oldest row has waited for lateAfter or longer is
// not shown as healthy. The argument `runs` is true if a job of the user's tenant runs. For the owner of
// the service, jobs of all tenants count.
func queueStateWords(in locale.Printer, q *view.Queue, runs bool) opsState {
	if len(q.Reasons) > 0 {
		st := standstillStates[q.Reasons[0].Code]
		return opsState{in.Text(st.Words), st.Tone}
	}
	words, tone := "ops.state.idle", render.ToneWait
	switch {
	case q.QueueTotals != nil && q.Resharding:
		words, tone = "ops.state.resharding", render.ToneRun
	case q.Lag >= lateAfter.Seconds():
		words, tone = "ops.state.behind", render.ToneWarn
	case runs || q.QueueTotals != nil && q.Busy > 0:
		words, tone = "ops.state.running", render.ToneGood
	case q.Backlog > 0:
		words, tone = "ops.state.waiting", render.ToneWait
	}
	return opsState{in.Text(words), tone}
}

// withAlarms returns the state of a queue that has alarms. It replaces only a state that shows no
// problem, such as idle.
func (s opsState) withAlarms(in locale.Printer) opsState {
	switch s.Tone {
	case render.ToneWait:
		return opsState{in.Text("ops.state.attention"), render.ToneWarn}
	case render.ToneGood:
		return opsState{in.Text("ops.state.running.attention"), render.ToneWarn}
	}
	return s
}

// withErrors returns the state of a queue for the pages of this queue. If the queue has dead keys or
// rows in error, the state has alarms. The overview shows these keys and rows as separate alarms.
func (s opsState) withErrors(in locale.Printer, q *view.Queue, rows inError) opsState {
	if rows.Sum() > 0 || q.QueueTotals != nil && q.MorgueLength > 0 {
		return s.withAlarms(in)
	}
	return s
}
