package render

import (
	"cmp"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Exported returns the file of an export: its name and size. It returns nil before the file exists and
// after its deletion.
func (t TaskCard) Exported() *view.Result {
	if t.Type != tasks.Export || t.Result.FileID == nil || t.Result.ExpiredAt != nil {
		return nil
	}
	return &t.Result
}

// IsExport reports whether the task makes a file instead of reading one.
func (t TaskCard) IsExport() bool { return t.Type == tasks.Export }

// TaskCard is a task with its texts for people.
type TaskCard struct {
	view.Task
	tongue locale.Printer
	Words  string
	Tone   string
	Took   *int64 // duration of the work in seconds, at least 1, without the time of people; nil: the work has not ended

	KindTitle string // title of the kind

	ProblemTitle string    // above the problem, if there is one
	Turns        []turning // the present controls of the task
	Closed       bool      // the rows can no longer be changed
	Overtaken    int64     // of a paused task, waiting rows that a newer row has superseded
}

// turning is a button that controls a task.
type turning struct {
	Verb  string // the last part of its path
	Words string
	Asks  string // what to say before it is done; "" for nothing
}

// turnings returns the buttons for a task with a status.
func turnings(t locale.Printer, status tasks.Status) []turning {
	stop := turning{
		"cancel", t.Text("turn.cancel"), t.Text("turn.cancel.asks"),
	}
	switch status {
	case tasks.Open, tasks.Splitting, tasks.Running:
		return []turning{{"pause", t.Text("turn.pause"), ""}, stop}
	case tasks.Paused:
		return []turning{{"resume", t.Text("turn.resume"), ""}, stop}
	}
	return nil
}

// Correctable reports whether a corrected file can correct rows.
func (t TaskCard) Correctable() bool {
	return t.Done && t.Bad() > 0 && !t.Closed && !t.IsExport()
}

// NewTaskCard returns a task with the texts of a page; kinds has the name of its kind.
func NewTaskCard(t *tasks.Task, now time.Time, in locale.Printer, kinds *jobs.Registry) TaskCard {
	card := TaskCard{Task: view.OfTask(t, now), Closed: review.Closed(t)}
	card.KindTitle = kinds.Title(string(in), card.Kind)
	card.Name = cmp.Or(card.Name, card.KindTitle)
	card.tongue, card.Problem = in, problem.OfTask(string(in), t.Problem)
	card.Words, card.Tone = statusWords(in, card.Task)
	card.ProblemTitle, card.Turns = problemTitle(in, card.Task), turnings(in, t.Status)
	if card.Done && t.StartedAt > 0 {
		seconds := max((t.RanMs+999)/1000, 1)
		card.Took = &seconds
	}
	return card
}

// Bad returns the number of rows that need an act of a person.
func (t TaskCard) Bad() int64 { return t.Counts.ToCorrect() + t.Counts.Error }
