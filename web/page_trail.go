package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// trailView is one act in the past of a task, in words.
type trailView struct {
	At    *string
	Words string
	By    string // the id of an API key, "" where none is asked for
	Note  string
	Link  string // to the row that it is about, "" for none or several
	Cells []trailCell
}

// trailCell is a cell that was edited.
type trailCell struct{ Column, Before, After string }

// mostTrail is how many acts a task's page tells.
const mostTrail = 20

// trail tells what was done to a task, newest first, and how it began.
func (p *pages) trail(c *gin.Context, t *tasks.Task) (out []trailView, err error) {
	list, err := p.taskAudit(c, t, 0, mostTrail)
	if err != nil {
		return nil, err
	}
	in, kind := tongueOf(c), p.localizer(c, t).Kind
	for i := range list {
		out = append(out, in.trailOf(view.OfTaskAuditEntry(t, kind, &list[i])))
	}
	return out, nil
}

func (in tongue) trailOf(e view.AuditEntry) trailView {
	v := trailView{At: e.At, By: e.By, Note: e.Note, Words: in.say("trail."+e.Act, "n", *e.Touched)}
	if v.By == local {
		v.By = ""
	}
	if e.EventID != nil {
		task, seq, _ := events.ParseJobID(*e.EventID) // it was made here
		v.Link = rowLink(task, seq)
	}
	for _, column := range sortedKeys(e.After) {
		v.Cells = append(v.Cells, trailCell{column, textutil.Deref(e.Before[column]), textutil.Deref(e.After[column])})
	}
	return v
}
