package web

import (
	"cmp"
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// chapter is one thing that happened to a row: an attempt, a decision of a person or a
// line of its handler.
type chapter struct {
	at      int64
	At      *string
	Words   string
	Tone    string
	Note    string
	Attempt *view.Attempt // of an attempt
	Took    string        // how long an attempt ran
	Cells   []trailCell   // that a person edited
}

// mostEdits is the number of edits that the page of a row lists.
const mostEdits = 200

// near is within how many milliseconds the log of a row and the audit note one act.
const near = 1000

// story returns what happened to a row, oldest first.
func (p *pages) story(ctx context.Context, v view.Localizer, t *tasks.Task, e *events.Event) ([]chapter, error) {
	in := tongue(v.Lang)
	var out []chapter
	for _, a := range e.Attempts(v.Runner(e.RanBy)) {
		out = append(out, in.attemptChapter(&a, v.Attempt(&a)))
	}
	for _, n := range e.Notes() {
		if n.Ended == nil {
			out = append(out, chapter{at: n.At, At: textutil.Instant(n.At), Words: v.Note(&n), Tone: toneWait})
		}
	}
	edits, err := p.opt.Audit.Row(ctx, t.Num, e.ID.Seq(), mostEdits)
	if err != nil {
		return nil, err
	}
	for i := range edits {
		out = in.edited(out, view.OfTaskAuditEntry(t, v.Kind, &edits[i]), &edits[i])
	}
	slices.SortStableFunc(out, func(a, b chapter) int { return cmp.Compare(a.at, b.at) })
	return out, nil
}

// attemptChapter is an attempt in words.
func (in tongue) attemptChapter(a *events.Attempt, v view.Attempt) chapter {
	out := chapter{at: cmp.Or(a.EndedAt, a.StartedAt), Attempt: &v, Tone: outcomeTone(a.Outcome)}
	out.At = textutil.Instant(out.at)
	out.Words = in.say("story."+string(a.Outcome), "attempt", a.N)
	if a.N == 0 {
		out.Words = in.say("story.checked")
	}
	if a.StartedAt > 0 && a.EndedAt > 0 {
		out.Took = in.say("story.took", "n", a.EndedAt-a.StartedAt)
	}
	return out
}

func outcomeTone(o events.Outcome) string {
	switch o {
	case events.Finished:
		return toneGood
	case events.BusinessFault:
		return toneWarn
	case events.RetriedFault, events.LastFault:
		return toneBad
	case events.Running:
		return toneRun
	}
	return toneWait
}

// edited adds the cells of an edit to the chapter of the same act, or a chapter of its
// own.
func (in tongue) edited(out []chapter, v view.AuditEntry, e *audit.Entry) []chapter {
	told := in.trailOf(v)
	if len(told.Cells) == 0 {
		return out
	}
	for i := range out {
		c := &out[i]
		if c.Attempt == nil && c.Cells == nil && c.at >= e.At-near && c.at <= e.At+near {
			c.Cells = told.Cells
			return out
		}
	}
	return append(out, chapter{at: e.At, At: told.At, Words: told.Words, Tone: toneWait, Cells: told.Cells, Note: told.Note})
}
