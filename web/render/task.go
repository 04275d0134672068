package render

import (
	"cmp"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Exported returns the name and size of an export's file. It returns nil before the file exists and
// after its deletion.
func (t TaskCard) Exported() *view.Result {
	if t.Type != tasks.Export || t.Result.FileID == nil || t.Result.ExpiredAt != nil {
		return nil
	}
	return &t.Result
}

// IsExport reports whether the task writes a file, instead of reading one.
func (t TaskCard) IsExport() bool { return t.Type == tasks.Export }

// IsBatch reports whether a program made the rows of the task.
func (t TaskCard) IsBatch() bool { return t.Type == tasks.Batch }

// TaskCard is a task with its texts for pages.
type TaskCard struct {
	view.Task
	printer locale.Printer
	Words   string
	Tone    string
	Took    *int64 // total run time in seconds, at least 1; nil: the task is not done, or has never started

	KindTitle string // title of the kind

	ProblemTitle string          // title above the problem, if there is one
	Controls     []controlButton // the present controls of the task
	Kept         bool            // the task is paused because its file has invalid rows
	Closed       bool            // the rows can no longer be changed
	Overtaken    int64           // waiting rows of a paused task that a newer row has superseded
}

// controlButton is a button that pauses, resumes or cancels a task.
type controlButton struct {
	Verb  string // the last part of the path
	Words string
	Asks  string // the question before the act; "" for none
}

// controlButtons returns the buttons that a task with this type and status has.
func controlButtons(t locale.Printer, of string, status tasks.Status) []controlButton {
	stop := controlButton{"cancel", t.Text("control.cancel"), t.Text("control.cancel.asks")}
	if of == tasks.Export {
		stop.Asks = t.Text("control.cancel.asks.export")
	}
	switch status {
	case tasks.Open, tasks.Splitting, tasks.Running:
		return []controlButton{{"pause", t.Text("control.pause"), ""}, stop}
	case tasks.Paused:
		return []controlButton{{"resume", t.Text("control.resume"), ""}, stop}
	}
	return nil
}

// Correctable reports whether a user may correct rows of the task with a corrected file.
func (t TaskCard) Correctable() bool {
	return t.Done && t.Bad() > 0 && !t.Closed && !t.IsExport()
}

// NewTaskCard returns a task with its texts for pages. The argument `kinds` has the title of the task's
// kind.
func NewTaskCard(t *tasks.Task, now time.Time, in locale.Printer, kinds *jobs.Registry) TaskCard {
	card := TaskCard{Task: view.OfTask(t, now), Closed: review.Closed(t)}
	card.Kept = t.Status == tasks.Paused && t.Hold == tasks.HoldBlock
	card.KindTitle = kinds.Title(string(in), card.Kind)
	card.Name = cmp.Or(card.Name, card.KindTitle)
	if t.Type == tasks.Export {
		card.Progress.Message = new(strings.TrimSpace(in.Text("export.written", "n", t.Progress.Done) + " " + t.Progress.Text))
	}
	card.printer, card.Problem = in, problem.OfTask(string(in), t.Problem)
	card.Words, card.Tone = statusWords(in, card.Task)
	card.ProblemTitle, card.Controls = problemTitle(in, card.Task), controlButtons(in, t.Type, t.Status)
	if card.Done && t.StartedAt > 0 {
		seconds := max((t.RanMs+999)/1000, 1)
		card.Took = &seconds
	}
	return card
}

// Bad returns the number of bad rows, without superseded rows. It includes rows about which a user has
// decided.
func (t TaskCard) Bad() int64 { return t.Counts.ToCorrect() + t.Counts.Error }
