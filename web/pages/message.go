package pages

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// message is the text about the outcome of the last act, with an offer to undo the act if possible.
type message struct {
	Words string
	Task  string // id of the task
	Act   string // id of the act that can be undone; "" for none
	Runs  int64  // seconds until the changed rows run; 0: no run is planned
	RunAt int64  // time of the run, unix ms; 0: no run is planned
	N     int    // rows that the act changed
	None  bool   // the act on rows changed no row
	Open  bool   // the row still needs a correction
	Back  string // the page that an undo leads back to: "task", "repair" or "row:" and a seq
}

// messageOf returns the message about the last act; nil if the page follows no act, or if the act has
// been undone. The message offers the undo of the user's own act, unless that act is an undo, or a fix
// whose rows have been resubmitted.
func (p *Handlers) messageOf(c *gin.Context, t *tasks.Task, back string) (*message, error) {
	outcome := p.Render.Outcome(c)
	in := request.Printer(c)
	m := &message{Words: taskText(in, outcome, t), Task: t.ID, N: outcome.N, Back: back, Open: outcome.Act == "saved.open"}
	m.None = outcome.N == 0 && (outcome.Of > 0 || noRow[outcome.Act] != "")
	if m.Words == "" {
		return nil, nil
	}
	if outcome.ID == "" || !request.Caller(c).May(access.RowsReview) {
		return m, nil
	}
	act, err := decisions.New(p.Events).Act(c.Request.Context(), t.Num, outcome.ID)
	if err != nil || act == nil || act.Actor != request.Actor(c) || act.Undoes != "" {
		return m, err
	}
	if act.UndoneBy != "" { // the user has gone back in the history of the browser
		return nil, nil
	}
	m.Act = act.ID
	switch run := (render.Outcome{Act: "resubmit", N: outcome.N - faulty(outcome)}); {
	case run.N <= 0: // no row runs, now or later
	case act.Fix != "" && keptBack(t):
		m.Words += " " + taskText(in, run, t)
	case act.Fix != "" && act.RunAt == 0 && outcome.Act != "fix.same":
		m.Words, m.Act = taskText(in, run, t), ""
	case act.RunAt > 0 && t.Status == tasks.Paused:
		m.Words += " " + taskText(in, run, t)
	case act.RunAt > 0:
		m.RunAt = act.RunAt
		m.Runs = max((act.RunAt-p.Now().UnixMilli()+999)/1000, 1)
	}
	return m, nil
}

// keptBack reports whether a task is paused because its file has invalid rows. No row of such a task
// runs before a user resumes it.
func keptBack(t *tasks.Task) bool { return t.Status == tasks.Paused && t.Hold == tasks.HoldBlock }

// taskText returns the text about the outcome of an act on a task. If the task is paused, the text about a
// resubmission states that the rows wait.
func taskText(in locale.Printer, d render.Outcome, t *tasks.Task) string {
	kept := keptBack(t)
	switch resubmits := d.Act == "resubmit" && d.N > 0 && d.N >= d.Of; {
	case t.Status != tasks.Paused:
	case resubmits && kept:
		return in.Text("told.resubmit.kept", "n", d.N)
	case resubmits:
		return in.Text("told.resubmit.paused", "n", d.N)
	case d.Act == "sent" && kept:
		return in.Text("told.sent.kept", "row", d.Args["row"])
	case d.Act == "sent":
		return in.Text("told.sent.paused", "row", d.Args["row"])
	}
	return outcomeText(in, d)
}

// offers reports whether the message offers the undo of an act.
func (m *message) offers(act *decisions.Act) bool { return m != nil && m.Act == act.ID }

// noRow maps an act to the text key of the message that the act changed no row. Other acts have a
// message that suits 0 rows.
var noRow = map[string]string{
	"undo": "told.undo.none", "undo.skip": "told.undo.none", "undo.accept": "told.undo.none", "undo.state": "told.undo.none",
	"fix": "told.fix.none", "fix.one": "told.fix.none",
}

// faulty returns the number of rows that a fix has changed, but that do not run because of another fault.
func faulty(d render.Outcome) int {
	n, _ := strconv.Atoi(d.Args["wrong"]) // 0 for other acts
	return n
}

// outcomeText returns the text about the outcome of an act; "" for an unknown act.
func outcomeText(in locale.Printer, d render.Outcome) string {
	words := ""
	switch d.Act {
	case "set", "replace", "undo", "undo.skip", "undo.accept", "undo.state", "skip", "accept", "open", "resubmit", "fix", "fix.one", "fix.same", fixRefused, "corrections", "corrections.all", "corrections.none",
		"sent", "saved.fixed", "saved.open", "saved.none", "saved.skipped", "saved.accepted", "saved.superseded":
		args := []any{"n", d.N}
		for name, value := range d.Args {
			args = append(args, name, render.Shown(value))
		}
		wrong, act := faulty(d), d.Act
		if wrong > 0 && act == "fix.same" { // the text of fix.same reports no problems
			act = "fix.one"
		}
		words = in.Text("told."+act, args...)
		if wrong > 0 {
			words += " " + in.Text("told.fix.wrong", "n", wrong)
		}
		if key := noRow[d.Act]; key != "" && d.N == 0 {
			words = in.Text(key)
		}
	default:
		return ""
	}
	if n, _ := strconv.Atoi(d.Args["superseded"]); n > 0 { // 0 for other acts
		words += " " + in.Text("ask.superseded", "n", n)
	}
	if stay := d.Of - d.N; stay > 0 {
		words += " " + in.Text("ask.moved", "n", stay)
	}
	return words
}
