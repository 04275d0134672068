package pages

import (
	"cmp"
	"context"
	"sort"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// The page of a task shows at most mostTrail acts or, on request, at most allTrail.
const (
	mostTrail = 12
	allTrail  = 100
)

// past is an act on a task. If the user can undo the act, the field Act is its id.
type past struct {
	render.TrailView
	ms   int64
	Task string
	Act  string
	N    int64
	Row  int            // number in the file of the only row of the act; 0: there are several rows, or the number is unknown
	Rows []events.Event // the first rows of an act whose rows were changed one by one, and its last one
	act  string
	seq  int64 // seq of the only row of the act; 0: several rows

	rerun string // id of the resubmission; "": none
}

// nameRow adds the number of the row to the text about an act on one row.
func (v *past) nameRow(in locale.Printer) {
	switch {
	case v.Row == 0 && v.rerun != "" && len(v.Cells) > 0:
		v.Words += " ·"
	case v.Row == 0:
	case v.Words == in.Text("trail.rows", "n", 1):
		v.Words = in.Text("trail.row", "row", v.Row)
	case len(v.Cells) > 0:
		v.Words += " · " + in.Text("trail.row", "row", v.Row)
	default:
		v.Words += " · " + in.Text("row.title", "row", v.Row)
	}
}

// joins adds an older audit entry to the act if it belongs to the same resubmission, and reports whether
// it does. A resubmission of many rows has an entry for each thousand rows.
func (v *past) joins(in locale.Printer, older *past) bool {
	if v.rerun == "" || v.rerun != older.rerun {
		return false
	}
	v.N, v.Link, v.seq, v.Many = v.N+older.N, "", 0, true
	if len(v.Cells) != len(older.Cells) {
		v.Cells = nil
	}
	for i := range v.Cells {
		if a, b := &v.Cells[i], &older.Cells[i]; a.Column != b.Column || a.After != b.After {
			v.Cells = nil
			break
		}
	}
	v.Words = in.Text("trail.resubmit", "n", v.N)
	return true
}

// fillTrail adds the last acts on the task to its page. It sets the field Past if the page can show more
// acts.
func (v *taskPage) fillTrail(c *gin.Context, p *Handlers, t *tasks.Task) (err error) {
	most, all := mostTrail, c.Query("past") == "all"
	if all {
		most = allTrail
	}
	v.Trail, err = p.trail(c, t, most+1)
	if len(v.Trail) > most {
		v.Trail, v.Past = v.Trail[:most], !all
	}
	return err
}

// trail returns at most `most` acts on a task, newest first. The creation of the task is an act, too. The
// edits of one act on many rows count as one.
func (p *Handlers) trail(c *gin.Context, t *tasks.Task, most int) ([]past, error) {
	ctx, in := c.Request.Context(), request.Printer(c)
	acts, err := decisions.New(p.Events).Acts(ctx, t.Num, most)
	if err != nil {
		return nil, err
	}
	entries, err := p.Manage.TaskActs(ctx, t, most)
	if err != nil {
		return nil, err
	}
	kind := p.Locale.Localizer(c, t).Kind
	var out []past
	notes, kinds := map[string]string{}, map[string]string{}
	for i := range entries {
		e := &entries[i]
		one := past{TrailView: render.HistoryEntry(in, kind, view.OfTaskAuditEntry(t, kind, e)), ms: e.At, N: e.Touched, seq: e.Seq, act: e.Act, rerun: e.Detail.Rerun}
		if e.Detail.ActID != "" {
			notes[e.Detail.ActID], kinds[e.Detail.ActID] = cmp.Or(notes[e.Detail.ActID], one.Note), e.Act
			continue
		}
		if n := len(out); n > 0 && out[n-1].joins(in, &one) {
			continue
		}
		out = append(out, one)
	}
	for i := range acts {
		one, err := p.pastAct(ctx, in, t, kind, &acts[i])
		if err != nil {
			return nil, err
		}
		one.Note = notes[acts[i].ID]
		verb := kinds[acts[i].ID] // other entries of a group are about rows that take over a key
		if len(one.Cells) == 0 && verb != "" && (len(one.Rows) == 0 || verb == "skip" || verb == "accept") {
			one.Words = in.Text("trail."+verb, "n", acts[i].Rows)
		}
		if acts[i].Actor != request.Actor(c) {
			one.Act = ""
		}
		out = append(out, one)
	}
	names, err := render.NamesOf(ctx, p.Render, request.Tenant(c), out, func(one *past) string { return one.By })
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].act == "create" && t.Type != tasks.Import {
			out[i].Words = in.Text("trail.create.export")
		}
		out[i].By = names[out[i].By]
		if out[i].Row, err = p.rowNumber(ctx, t, &out[i]); err != nil {
			return nil, err
		}
		out[i].nameRow(in)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ms > out[j].ms }) // slices.SortStableFunc adds 6 KB
	return out[:min(len(out), most)], nil
}

// rowNumber returns the number in the file of the only row of an act. It returns 0 if there are several
// rows, or if the row was deleted.
func (p *Handlers) rowNumber(ctx context.Context, t *tasks.Task, one *past) (int, error) {
	if one.Row > 0 || one.seq == 0 {
		return one.Row, nil
	}
	e, err := p.Events.Get(ctx, events.NewID(t.Num, one.seq))
	if problem.OfClient(err) != nil {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return e.Row, nil
}

// pastAct returns the view of an act on rows, with the changes of the row that SampleRow returns. It
// sets the field Act, by which the page offers the undo, if that row has not changed since. Act
// stays empty for an undo, and for an act that was undone.
func (p *Handlers) pastAct(
	ctx context.Context, in locale.Printer, t *tasks.Task, kind jobs.Kind, act *decisions.Act,
) (past, error) {
	one := past{TrailView: render.ActEntry(in, act), ms: act.At, Task: t.ID, N: act.Rows}
	sample, err := decisions.New(p.Events).SampleRow(ctx, act)
	one.Describe(in, kind, t.ID, act, sample)
	if err != nil || sample == nil {
		return one, err
	}
	if act.Act == decisions.ActGroup && act.Rows > 1 {
		first, err := decisions.New(p.Events).FirstRows(ctx, act, 5)
		if err != nil {
			return one, err
		}
		var seqs []int64
		for i := range first {
			seqs = append(seqs, first[i].ID.Seq())
		}
		if one.Rows, err = p.Events.Some(ctx, t.Num, seqs); err != nil {
			return one, err
		}
	}
	e, err := p.Events.Get(ctx, sample.ID)
	if err != nil {
		return one, err
	}
	if act.Rows == 1 {
		one.Row = e.Row
	}
	if act.UndoneBy == "" && act.Undoes == "" && e.Version == sample.Version {
		one.Act = act.ID
	}
	return one, nil
}
