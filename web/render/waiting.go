package render

import "slices"

// plainReasons are the reasons that have a sentence for users. Its key begins with "state.why."; the
// key of the next step begins with "state.next.".
var plainReasons = []string{
	"QUEUE_PAUSED", "NO_WORKER", "BEHIND_TASK", "BEHIND_FILE", "NOT_FED", "TENANT_PAUSED", "BEHIND_ROW", "WAITS_FOR_RETRY",
	"QUEUE_AWAY", "DUE", "FETCHED",
}

// notYet is the reason of a task with a start time in the future.
const notYet = "TASK_NOT_YET"

// Starts returns the start time of a task that waits for its start time, or nil.
func (s Standing) Starts() *string {
	if s.Why == nil || s.Why.Code != notYet {
		return nil
	}
	return s.Why.At
}

// waiting returns the state of a task whose rows wait, with the cause of the wait.
func (t TaskCard) waiting(s Standing) State {
	out := State{Icon: "clock", Tone: ToneWait}
	switch s.Why.Code {
	case notYet:
		out.Rest = []string{t.say("state.starts.rest")}
		return out
	case "NO_WORKER", "QUEUE_AWAY", "NO_PROGRESS", "SCRIPT_FAILS", "NOT_PUSHED", "STRANDED", "SHARD_UNOWNED":
		out.Icon, out.Tone = "fault", ToneBad
	case "QUEUE_PAUSED", "TENANT_PAUSED":
		out.Icon, out.Tone = "pause", ToneWarn
	}
	if slices.Contains(plainReasons, s.Why.Code) {
		args := []any{"kind", t.KindTitle, "task", Shown(Clip(s.Ahead)), "n", s.Why.Place}
		if s.Why.Place == nil {
			args = append(args, "n", 0)
		}
		out.Bold = t.say("state.why."+s.Why.Code, args...)
		out.Rest = []string{t.say("state.next."+s.Why.Code, args...)}
	} else {
		out.Bold, out.Rest = t.say("state.waiting"), []string{s.Why.Detail}
	}
	if s.Hints && s.Why.Hint != nil {
		out.Rest = append(out.Rest, *s.Why.Hint)
	}
	return out
}
