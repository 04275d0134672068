package ops

import (
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsState is the word and the tone of a state.
type opsState struct{ Words, Tone string }

// standstillStates are the words and tones for the reasons why a queue does not move.
var standstillStates = map[string]opsState{
	"QUEUE_PAUSED":   {"ops.state.paused", render.ToneWarn},
	"NO_WORKER":      {"ops.state.no_worker", render.ToneBad},
	"SHARD_UNOWNED":  {"ops.state.no_worker", render.ToneBad},
	"SCRIPT_FAILS":   {"ops.state.failing", render.ToneBad},
	"NO_PROGRESS":    {"ops.state.stuck", render.ToneBad},
	"NOT_PUSHED":     {"ops.state.stuck", render.ToneBad},
	"TENANT_PAUSED":  {"ops.state.tenant_paused", render.ToneWarn},
	"TENANTS_PAUSED": {"ops.state.tenant_paused", render.ToneWarn},
	"TENANT_SLOTS":   {"ops.state.no_slots", render.ToneWarn},
	"TENANTS_SLOTS":  {"ops.state.no_slots", render.ToneWarn},
	"FILE_UNREAD":    {"ops.state.unread", render.ToneWarn},
}

// queueStateWords returns the word for the state of a queue. For a standing queue, it is the word of
// the first reason. Only a queue whose rows do not wait long is shown as healthy.
func queueStateWords(in locale.Printer, q *view.Queue) opsState {
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
	case q.QueueTotals != nil && q.Busy > 0:
		words, tone = "ops.state.running", render.ToneGood
	case q.Backlog > 0:
		words, tone = "ops.state.waiting", render.ToneWait
	}
	return opsState{in.Text(words), tone}
}
