package render

import (
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// State is the state of a task as a page shows it: one sentence with a reason, an icon and a tone.
type State struct {
	Icon, Tone string
	Bold       string   // the state
	Rest       []string // the reason and the next step
	Live       bool     // the page adds counts of rows, which a script keeps up to date
}

// TaskFacts holds facts about a task that TaskCard lacks. The zero value adds nothing to the page.
type TaskFacts struct {
	Causes    int          // number of causes of rows that need a correction
	Ready     int64        // corrected rows that have not run
	Settled   int64        // rows in error that are part of Ready or of Counts.Skipped
	Overtaken int64        // rows of Ready that do not run, because a newer row of their key has finished
	Why       *view.Reason // why no row runs; nil: rows run, or none waits
	Ahead     string       // name of the task that Why names, or of the task of the row; "" if unknown
	AheadRow  int          // row of the task Ahead that Why names; 0 for none
	Held      int64        // rows that wait behind rows with the same key, if they are at least half of the waiting rows; else 0
	Hints     bool         // the user is an operator, who can act on hints
	Now       time.Time    // the time of the page
}

// State returns the state of the task.
func (t TaskCard) State(s TaskFacts) State {
	switch t.Status {
	case tasks.Paused:
		if t.Kept {
			return t.keptState(s)
		}
		return State{"pause", ToneWarn, t.say("state.paused"), []string{t.imported(), t.say("state.paused.rest")}, false}
	case tasks.Canceling:
		return State{"clock", ToneWait, t.say("state.stopping"), []string{t.say("state.stopping.rest")}, false}
	case tasks.Canceled:
		return State{"close", t.Tone, t.Words + ".", []string{t.imported()}, false}
	case tasks.Failed, tasks.Finished, tasks.FinishedWithFailures:
		return t.endedState(s)
	}
	return t.movingState(s)
}

// keptState returns the state of a task that is paused because its file has invalid rows.
func (t TaskCard) keptState(s TaskFacts) State {
	out := State{"pause", ToneWarn, t.say("state.kept"), []string{t.say("state.kept.ready", "n", t.Importable(s))}, false}
	if open := t.Open(s); open > 0 {
		out.Rest = append(out.Rest, t.say("state.kept.open", "n", open))
	}
	return out
}

// Importable returns the number of rows that run if a user imports the rows of a kept task.
func (t TaskCard) Importable(s TaskFacts) int64 {
	return max(t.Counts.Enqueue-t.Overtaken, 0) + s.Runs()
}

// Runs returns the number of corrected rows that would run if a user started them now. The number is never
// negative, although Overtaken is counted later than Ready and may be greater.
func (s TaskFacts) Runs() int64 { return max(s.Ready-s.Overtaken, 0) }

// readySentences returns the sentences about corrected rows that have not run.
func (t TaskCard) readySentences(s TaskFacts) (out []string) {
	if s.Runs() > 0 {
		out = append(out, t.say("state.ready", "n", s.Runs()))
	}
	if s.Overtaken > 0 {
		out = append(out, t.say("state.overtaken", "n", s.Overtaken))
	}
	return out
}

// movingState returns the state of a task that is not done, paused or canceling.
func (t TaskCard) movingState(s TaskFacts) State {
	waits := t.Counts.Working == 0 && t.Counts.Enqueue > 0 || t.Counts.Total == 0
	switch {
	case s.Why != nil && !t.runs(s):
		return t.waiting(s)
	case s.Why == nil && (t.Counts.Total == 0 || !waits && t.Counts.Working == 0):
		return t.firstState()
	}
	out := State{"run", ToneRun, "", nil, true}
	if s.Held > 0 {
		out.Rest = []string{t.say("state.held", "n", s.Held)}
	}
	return out
}

// firstState returns the state of a task without waiting and running rows. If the task has a file or a
// final total, the page shows only the state while the task is open, and only live counts of rows
// afterwards. For other tasks, the page shows both.
func (t TaskCard) firstState() State {
	out := State{"clock", ToneWait, t.Words + ".", nil, true}
	switch named := t.Counts.TotalIsFinal || t.Source != nil; {
	case named && t.Status == tasks.Open:
		out.Live = false
	case named:
		out.Bold = ""
	}
	return out
}

// runs reports whether rows of the task run although no row has the status Working in the ledger. The rows
// of a fast handler end before the ledger records them as running.
func (t TaskCard) runs(s TaskFacts) bool {
	switch s.Why.Code {
	case "RUNNING":
		return true
	case "FETCHED":
		return t.Progress.Processed > 0
	}
	return false
}

// endedState returns the state of a task that is done and was not canceled.
func (t TaskCard) endedState(s TaskFacts) State {
	open := t.Open(s)
	out := State{"done", ToneGood, t.say(t.typed("state.all", "state.all.batch"), "n", t.Counts.Finish), nil, false}
	switch {
	case t.Problem != nil || t.IsExport():
		out = State{"done", t.Tone, t.Words + ".", nil, false}
		if t.Tone == ToneBad {
			out.Icon = "fault"
		}
	case open > 0 && s.Causes > 0:
		out = State{"warn", ToneWarn, t.say("state.correct", "n", open, "m", s.Causes), nil, false}
	case open > 0:
		out = State{"warn", ToneWarn, t.say("state.correct.rows", "n", open), nil, false}
	case s.Ready > 0:
		out = State{"warn", ToneWarn, strings.Join(t.readySentences(s), " "), nil, false}
	case t.Counts.Error > 0:
		out = State{"fault", ToneBad, t.say("state.system", "n", t.Counts.Error), nil, false}
	}
	if out.Tone != ToneGood && !t.IsExport() && t.Counts.Total > 0 {
		out.Rest = append(out.Rest, t.imported())
	}
	if t.Took != nil {
		out.Rest = append(out.Rest, t.say("state.ran", "time", t.printer.Duration(*t.Took)))
	}
	return out
}

func (t TaskCard) say(key string, args ...any) string { return t.printer.Text(key, args...) }

// typed returns `batch` for a task whose rows a program made, and `imports` for other tasks.
func (t TaskCard) typed(imports, batch string) string {
	if t.IsBatch() {
		return batch
	}
	return imports
}

func (t TaskCard) imported() string {
	return t.say(t.typed("state.imported", "state.imported.batch"), "n", t.Counts.Finish, "m", t.Counts.Total)
}

// StatusWords returns the text about the status for screen readers. Skipped, superseded and corrected
// rows are not among the rows that need a correction.
func (t TaskCard) StatusWords(s TaskFacts) string {
	switch open := t.Open(s); {
	case t.Status != tasks.FinishedWithFailures:
		return t.Words
	case open > 0:
		return t.say("status.correct", "n", open)
	case t.Counts.Error > 0:
		return t.say("status.ours", "n", t.Counts.Error)
	case s.Ready > 0:
		return strings.Join(t.readySentences(s), " ")
	}
	return t.say("status.finished")
}

// Open returns the number of rows that still need a correction. It leaves out skipped, superseded and
// corrected rows.
func (t TaskCard) Open(s TaskFacts) int64 {
	return max(t.Counts.ToCorrect()-(t.Counts.Skipped+s.Ready-s.Settled), 0)
}
