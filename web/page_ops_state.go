package web

import (
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsState is a word for how something stands, and its tone; "" for nothing worth a word.
type opsState struct{ Words, Tone string }

// standstillStates are the words and tones for the reasons why a queue does not move.
var standstillStates = map[string]opsState{
	"QUEUE_PAUSED":   {"ops.state.paused", toneWarn},
	"NO_WORKER":      {"ops.state.no_worker", toneBad},
	"SHARD_UNOWNED":  {"ops.state.no_worker", toneBad},
	"SCRIPT_FAILS":   {"ops.state.failing", toneBad},
	"NO_PROGRESS":    {"ops.state.stuck", toneBad},
	"NOT_PUSHED":     {"ops.state.stuck", toneBad},
	"TENANT_PAUSED":  {"ops.state.tenant_paused", toneWarn},
	"TENANTS_PAUSED": {"ops.state.tenant_paused", toneWarn},
	"TENANT_SLOTS":   {"ops.state.no_slots", toneWarn},
	"TENANTS_SLOTS":  {"ops.state.no_slots", toneWarn},
	"FILE_UNREAD":    {"ops.state.unread", toneWarn},
}

// queueState returns the word for a queue: that of the first reason why it does not move.
func (in tongue) queueState(q *view.Queue) opsState {
	switch {
	case len(q.Reasons) > 0:
		st := standstillStates[q.Reasons[0].Code]
		return opsState{in.say(st.Words), st.Tone}
	case q.QueueTotals != nil && q.Resharding:
		return opsState{in.say("ops.state.resharding"), toneRun}
	}
	return opsState{}
}
