package render

import (
	"slices"
	"time"
)

// plainReasons are the reasons that have their own sentences for users. The text with the name
// "state.why." + reason explains the state, and "state.next." + reason gives the next step.
var plainReasons = []string{
	"QUEUE_PAUSED", "NO_WORKER", "BEHIND_TASK", "BEHIND_FILE", "NOT_FED", "TENANT_PAUSED", behindRow, retries,
	"QUEUE_AWAY", "DUE", "FETCHED",
}

// sharedReasons maps codes of reasons to the names of sentences. Each sentence describes several
// reasons. Only users who are not operators see these sentences. Operators see the detail of the reason.
var sharedReasons = map[string]string{
	"SHARD_UNOWNED": "TROUBLE", "NO_PROGRESS": "TROUBLE", "NOT_PUSHED": "TROUBLE", "SCRIPT_FAILS": "TROUBLE",
	"STRANDED": "TROUBLE", "LOST": "TROUBLE", "RUN_LOST": "TROUBLE",
	"TENANT_SLOTS": "TURN", "TENANT_TURN": "TURN", "KEYS_FILL_WINDOW": "TURN", "LIMIT_AT_ONCE": "TURN", "LIMIT_RATE": "TURN",
}

// RowState returns why a row waits or runs. Operators see the detail of the reason, and its hint. Other
// users see the sentences for users. If the reason has no such sentences, they see its detail.
func (t TaskCard) RowState(s TaskFacts) State {
	switch {
	case s.hint() != nil:
		return State{Bold: s.Why.Detail, Rest: []string{*s.Why.Hint}}
	case s.Hints && s.Why.Code == retries:
		return State{Bold: s.Why.Detail}
	case s.Hints || s.plainReason() == "":
		return State{Bold: s.Why.Detail}
	}
	return t.waiting(s)
}

// notYet is the code of the reason that the start time of a task is in the future.
const notYet = "TASK_NOT_YET"

// Starts returns the start time of a task that waits for it; nil for other tasks.
func (s TaskFacts) Starts() *string {
	if s.Why == nil || s.Why.Code != notYet {
		return nil
	}
	return s.Why.At
}

// These are the codes of the reasons that a row waits for its retry, and that it waits for other rows of
// its key.
const (
	retries   = "WAITS_FOR_RETRY"
	behindRow = "BEHIND_ROW"
)

// Retry is the retry for which a row, or the first row of its key, waits.
type Retry struct {
	At  *string
	Due bool // the time has come
}

// Retries returns the retry for which a row, or the first row of its key, waits; nil if it waits for none.
func (s TaskFacts) Retries() *Retry {
	if s.Why == nil || s.Why.At == nil || s.Why.Code != retries && s.Why.Code != behindRow {
		return nil
	}
	at, err := time.Parse(time.RFC3339, *s.Why.At)
	return &Retry{s.Why.At, err == nil && !at.After(s.Now)}
}

// hint returns the next step for an operator, and nil for other users. It also returns nil for a row
// that waits for a retry, because only the pages of operators have the button that the step names.
func (s TaskFacts) hint() *string {
	if !s.Hints || s.Why.Code == retries {
		return nil
	}
	return s.Why.Hint
}

// waiting returns the state of a task whose rows wait, with the reason.
func (t TaskCard) waiting(s TaskFacts) State {
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
	if code := s.plainReason(); code != "" {
		args := []any{"kind", t.KindTitle, "task", Shown(Clip(s.Ahead)), "row", s.AheadRow, "n", s.Why.Place}
		if s.Why.Place == nil {
			args = append(args, "n", 0)
		}
		out.Bold = t.say("state.why."+code, args...)
		if s.AheadRow > 0 {
			out.Bold = t.say("state.behind.row", args...)
		}
		out.Rest = []string{t.say("state.next."+code, args...)}
		if code == "DUE" && t.Progress.Processed > 0 { // it has started before
			out.Bold = t.say("state.waiting")
		}
	} else {
		out.Bold, out.Rest = t.say("state.waiting"), []string{s.Why.Detail}
	}
	if s.hint() != nil {
		out.Rest = append(out.Rest, *s.Why.Hint)
	}
	return out
}

// plainReason returns the name of the sentence for users about the reason, or "" if there is none. The
// name is DUE if the row waits to be fed and no other row precedes it. It is TURN if the task that comes
// first no longer exists. For a reason in plainReasons, the name is the code of the reason. For users
// who are not operators, the name can also be a value of sharedReasons.
func (s TaskFacts) plainReason() string {
	switch code := s.Why.Code; {
	case code == "NOT_FED" && (s.Why.Place == nil || *s.Why.Place == 0):
		return "DUE"
	case s.Ahead == "" && (code == "BEHIND_TASK" || code == "BEHIND_FILE"):
		return "TURN"
	case slices.Contains(plainReasons, code):
		return code
	case !s.Hints:
		return sharedReasons[code]
	}
	return ""
}
