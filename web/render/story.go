package render

import (
	"cmp"
	"context"
	"sort"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Chapter is one entry in the history of a row. It is an attempt, a decision of a user, or a message in
// the log of the row.
type Chapter struct {
	at      int64
	At      *string
	Words   string
	By      string // name of the user or API key; "" for none
	Tone    string
	Note    string
	Attempt *view.Attempt // the attempt; nil for other entries
	Took    string        // how long an attempt ran
	Cells   []TrailCell   // cells that a user has edited

	plain string // Words without the names of columns; "" if Words has none
}

// mostEdits is the greatest number of edits in the history of a row.
const mostEdits = 200

// near is the greatest difference, in milliseconds, between the times of one act in the log of a row and
// in the audit log.
const near = 1000

// Story returns the history of a row, oldest entry first.
func (p *Renderer) Story(ctx context.Context, v view.Localizer, t *tasks.Task, e *events.Event) ([]Chapter, error) {
	in := locale.Printer(v.Lang)
	var out []Chapter
	for _, a := range e.Attempts(v.Runner(e.RanBy)) {
		out = append(out, attemptChapter(in, v.Kind, &a, v.Attempt(&a)))
	}
	for _, n := range e.Notes() {
		if n.Ended == nil {
			out = append(out, noteChapter(in, v, &n))
		}
	}
	edits, err := p.Audit.Row(ctx, t.Num, e.ID.Seq(), mostEdits)
	if err != nil {
		return nil, err
	}
	for i := range edits {
		out = withEdit(in, v.Kind, out, view.OfTaskAuditEntry(t, v.Kind, &edits[i]), &edits[i])
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].at < out[j].at })
	names, err := NamesOf(ctx, p, t.Tenant, out, func(c *Chapter) string { return c.By })
	for i := range out {
		out[i].By = names[out[i].By]
	}
	return out, err
}

// noteChapter returns the history's entry for a message in the log of the row. A message without an act,
// from an early version, is shown unchanged.
func noteChapter(in locale.Printer, v view.Localizer, n *events.Note) Chapter {
	out := Chapter{at: n.At, At: textutil.Instant(n.At), Words: v.Note(n), Tone: ToneWait}
	if n.Act != "" {
		out.By, out.Note, out.plain = n.By, n.Why, in.Text("story.act."+n.Act)
		out.Words = out.plain
		if len(n.Columns) > 0 {
			out.Words += " (" + strings.Join(view.All(n.Columns, func(column *string) string { return v.Kind.Heading(*column) }), ", ") + ")"
		}
	}
	return out
}

// attemptChapter returns the history's entry for an attempt. It leaves out the column if the message
// begins with the heading of the column.
func attemptChapter(in locale.Printer, kind jobs.Kind, a *events.Attempt, v view.Attempt) Chapter {
	out := Chapter{at: cmp.Or(a.EndedAt, a.StartedAt), Attempt: &v, Tone: outcomeTone(a.Outcome)}
	out.At = textutil.Instant(out.at)
	out.Words = in.Text("story."+string(a.Outcome), "attempt", a.N)
	if v.Column != nil {
		v.Column = new(kind.Heading(*v.Column))
		if strings.HasPrefix(textutil.Deref(v.Message), *v.Column) {
			v.Column = nil
		}
	}
	if a.N == 0 {
		out.Words = in.Text("story.checked")
	}
	if a.StartedAt > 0 && a.EndedAt > 0 {
		out.Took = in.Text("story.took", "n", a.EndedAt-a.StartedAt)
	}
	return out
}

func outcomeTone(o events.Outcome) string {
	switch o {
	case events.Finished:
		return ToneGood
	case events.BusinessFault:
		return ToneWarn
	case events.RetriedFault, events.LastFault:
		return ToneBad
	case events.Running:
		return ToneRun
	}
	return ToneWait
}

// withEdit adds the cells of an edit to the entry of the same act in the history. If there is no such
// entry, it adds one.
func withEdit(in locale.Printer, kind jobs.Kind, out []Chapter, v view.AuditEntry, e *audit.Entry) []Chapter {
	entry := HistoryEntry(in, kind, v)
	if len(entry.Cells) == 0 {
		return out
	}
	for i := range out {
		c := &out[i]
		if c.Attempt == nil && c.Cells == nil && c.at >= e.At-near && c.at <= e.At+near {
			c.Cells, c.Words = entry.Cells, cmp.Or(c.plain, c.Words)
			return out
		}
	}
	return append(out, Chapter{at: e.At, At: entry.At, Words: entry.Words, By: entry.By, Tone: ToneWait, Cells: entry.Cells, Note: entry.Note})
}
