package pages

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/explain"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
	"github.com/rollcall-dev/rollcall/web/view"
)

// taskPage holds the data of the page of one task, with the causes of its failed rows and rows in error,
// and its history.
type taskPage struct {
	Title    string
	Refresh  bool // without a script, the browser reloads the page automatically
	Task     render.TaskCard
	Facts    render.TaskFacts
	Board    taskCauses
	Flash    *message       // message about the last act
	File     *correctedFile // result of a corrected file
	Form     bool           // the page is the response to a form, and the browser shows the address of the form
	Groups   []causeView
	Rows     []view.RowError
	Filtered bool       // the page shows the rows of one cause only
	Only     *causeView // the cause of the filter; nil: none
	Later    bool       // this is not the first page of the rows
	First    string     // address of the first page of rows
	More     string     // address of the next page of rows; "" on the last page
	Trail    []past     // acts on the task, newest first
	Past     bool       // the page can show more acts than Trail
	Tree     *treeView  // the tasks that the task waits for or has waited for; nil for none
	Repairs  bool       // the user may correct rows
	Asks     int64      // rows about which the user decides before a resume: see asks
}

// causeView is an error group of a task, called a cause on pages, with a link to its rows.
type causeView struct {
	view.Group
	Label  string // heading of the column in the file
	Link   string
	Chosen bool
}

// OfExport reports whether the page shows an export.
func (v taskPage) OfExport() bool { return v.Task.IsExport() }

// State returns the state of the task as a sentence with an icon.
func (v taskPage) State() render.State { return v.Task.State(v.Facts) }

// Legend returns the entries of the legend of the task's bar.
func (v taskPage) Legend() any { return v.Task.Legend(v.Facts) }

// task serves GET /tasks/{id}.
func (p *Handlers) task(c *gin.Context, t *tasks.Task) error {
	return p.showTask(c, t, http.StatusOK, nil)
}

// showTask answers with the page of a task. The function `answer` adds the result of a submitted form to
// the page; it is nil if the request has no form.
func (p *Handlers) showTask(c *gin.Context, t *tasks.Task, status int, answer func(*taskPage)) error {
	limit, after, err := request.Page(c)
	if err != nil {
		return err
	}
	v := taskPage{Task: p.card(c, t), Later: after > 0, Form: answer != nil}
	v.Title, v.Refresh = render.Shown(v.Task.Name), !v.Task.Done
	f := events.Filter{
		Code: c.Query("code"), Column: c.Query("column"), Print: c.Query("fingerprint"), After: after, Limit: limit + 1,
		NotSuperseded: true, NotFixed: true,
	}
	if err := rows.CheckTraces(c.Request.Context(), f); err != nil {
		return err
	}
	for _, fill := range []func() error{
		func() error { return p.badRows(c, t, f, &v) },
		func() error { return v.fillTrail(c, p, t) },
		func() (err error) { v.Flash, err = p.messageOf(c, t, "task"); return err },
		func() (err error) { v.Tree, err = p.tree(c, t); return err },
		func() error { return v.fillFacts(c, p, t) },
	} {
		if err := fill(); err != nil {
			return err
		}
	}
	if answer != nil {
		answer(&v)
	}
	v.Refresh = v.Refresh || v.Flash != nil && v.Flash.RunAt > 0
	return p.Render.Page(c, status, "task.html", v)
}

// card returns a task with its texts for pages.
func (p *Handlers) card(c *gin.Context, t *tasks.Task) render.TaskCard {
	return render.NewTaskCard(t, p.Now(), request.Printer(c), p.Kinds)
}

// fillFacts removes the controls of the task if the user must not use them. It adds facts about the task,
// such as the reason why its rows wait.
func (v *taskPage) fillFacts(c *gin.Context, p *Handlers, t *tasks.Task) (err error) {
	if !request.Caller(c).May(access.TasksWrite) {
		v.Task.Controls = nil
	}
	v.Repairs = request.Caller(c).May(access.RowsReview)
	v.Facts = render.TaskFacts{
		Causes: len(v.Board.Cards) + v.Board.Rest, Ready: v.Board.Ready, Settled: v.Board.Settled,
		Hints: request.Caller(c).May(access.OpsRead), Now: p.Now(),
	}
	if v.Facts.Overtaken, v.Task.Overtaken, err = p.overtaken(c, t, v.Facts.Ready); err != nil || v.Task.Done {
		return err
	}
	v.Asks = asks(t, v.Repairs, v.Facts.Overtaken, v.Task.Overtaken)
	return p.fillReason(c, t, &v.Facts)
}

// overtaken counts the rows that do not run, because newer rows of their keys have finished: corrected rows, and
// the waiting rows of a paused task. The argument `ready` is the number of corrected rows.
func (p *Handlers) overtaken(c *gin.Context, t *tasks.Task, ready int64) (corrected, waiting int64, err error) {
	corrected, err = p.Lists.Overtaken(c.Request.Context(), t, ready, p.ordered)
	if err != nil || t.Status != tasks.Paused {
		return corrected, 0, err
	}
	o, err := p.Rows.Overtaken(c.Request.Context(), t)
	return corrected, o.Superseded, err
}

// asks returns the number of rows whose keys have newer, finished rows. Before a paused task is resumed, the user
// decides about these rows. The argument `waiting` is the number of waiting rows among them, and `corrected` of
// corrected rows. Corrected rows count only if the resume runs them: the import is kept back, and the user may
// correct rows.
func asks(t *tasks.Task, repairs bool, corrected, waiting int64) int64 {
	if keptBack(t) && repairs {
		return waiting + corrected
	}
	return waiting
}

// ordered reports whether newer rows of a kind supersede older rows.
func (p *Handlers) ordered(kind string) bool {
	k, _ := p.Kinds.Kind(kind)
	return !k.Unordered
}

// fillReason adds one reason why a task makes no progress, if there is one. A pause of the tenant comes
// first, then the run hours, then other reasons. While rows run, or if no row waits, the only reason is
// a pause. Without a pause, fillReason then calls fillHeld.
func (p *Handlers) fillReason(c *gin.Context, t *tasks.Task, s *render.TaskFacts) error {
	state, err := p.Tasks.TenantState(c.Request.Context(), t.Tenant)
	if err != nil {
		return err
	}
	if state.Paused {
		s.Why = &view.Reason{Code: "TENANT_PAUSED"}
		return nil
	}
	if t.Working > 0 || t.Enqueue == 0 {
		return p.fillHeld(c, t, s)
	}
	x, err := p.Explain.Task(c.Request.Context(), p.Locale.Localizer(c, t), t)
	if err != nil || len(x.Reasons) == 0 {
		return err
	}
	s.Why = &x.Reasons[0]
	for i := range x.Reasons { // run hours come first, because they begin at a known time
		if x.Reasons[i].Code == explain.OutsideRunHours {
			s.Why = &x.Reasons[i]
		}
	}
	return p.nameAhead(c, s)
}

// nameAhead sets s.Ahead to the name of the task that s.Why.Behind names, and s.AheadRow if that is the
// id of a row. It sets neither if the task or row does not exist anymore.
func (p *Handlers) nameAhead(c *gin.Context, s *render.TaskFacts) error {
	ctx, id := c.Request.Context(), textutil.Deref(s.Why.Behind)
	if id == "" {
		return nil
	}
	var ahead *tasks.Task
	var row *events.Event
	var err error
	if s.Why.Code == explain.BehindRow {
		ahead, row, err = p.Rows.EventOf(ctx, id)
	} else {
		ahead, err = p.Tasks.Get(ctx, request.Tenant(c), id)
	}
	if problem.OfClient(err) != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if row != nil {
		s.AheadRow = row.Row
	}
	s.Ahead = p.card(c, ahead).Name
	return nil
}

// fillHeld adds the number of held rows of a task, if they are at least half of its waiting rows.
func (p *Handlers) fillHeld(c *gin.Context, t *tasks.Task, s *render.TaskFacts) error {
	if t.Enqueue == 0 {
		return nil
	}
	held, err := p.Explain.Held(c.Request.Context(), t)
	if 2*held >= t.Enqueue {
		s.Held = held
	}
	return err
}

// controlTask returns the handler of POST /tasks/{id}/pause, /resume or /cancel. If asksFirst returns
// true, the handler changes nothing, and redirects to the question on the page of the task. Otherwise,
// it performs the act and redirects to the page. If the form has the field `ready` and the user may
// correct rows, the handler first runs the corrected rows. If the task has changed state and the act is
// not possible, the page shows the new state.
func (p *Handlers) controlTask(verb string, timeout time.Duration) func(*gin.Context) error {
	return route.Within(timeout, func(c *gin.Context) error {
		form, ctx, id := request.Form(c), c.Request.Context(), c.Param("id")
		anyway, repairs := form.Get("superseded") == intake.RunSuperseded, request.Caller(c).May(access.RowsReview)
		back := "/tasks/" + url.PathEscape(id)
		if asks, err := p.asksFirst(c, id, repairs); err != nil {
			return err
		} else if asks {
			c.Redirect(http.StatusSeeOther, back+"#ask-resume")
			return nil
		}
		if form.Get("ready") != "" && repairs {
			if err := p.Rows.RunReady(ctx, id, anyway); err != nil {
				return err
			}
		}
		var prob *problem.Problem
		err := p.Rows.Control(ctx, id, verb, anyway)
		if err != nil && (!errors.As(err, &prob) || prob.Status != http.StatusConflict) {
			return err
		}
		c.Redirect(http.StatusSeeOther, back)
		return nil
	})
}

// asksFirst reports whether the user decides about some rows before the act: see asks. It returns false
// for a form without the field "ask", because the user has decided already.
func (p *Handlers) asksFirst(c *gin.Context, id string, repairs bool) (bool, error) {
	if request.Form(c).Get("ask") == "" {
		return false, nil
	}
	t, err := p.Tasks.Get(c.Request.Context(), request.Tenant(c), id)
	if err != nil {
		return false, err
	}
	corrected, waiting, err := p.overtaken(c, t, t.Failed+t.Error)
	return asks(t, repairs, corrected, waiting) > 0, err
}

// badRows adds the causes of a task's failed rows and rows in error, and one page of these rows.
func (p *Handlers) badRows(c *gin.Context, t *tasks.Task, f events.Filter, v *taskPage) error {
	ctx := c.Request.Context()
	groups, err := p.Events.Groups(ctx, t.Num)
	if err != nil {
		return err
	}
	v.Filtered = f.Code != "" || f.Column != "" || f.Print != ""
	seen := p.Locale.Localizer(c, t).Groups(groups)
	v.chooseCause(t, seen, f)
	if v.Board, err = p.causesOf(c, t, seen); err != nil {
		return err
	}
	list, err := p.Events.Bad(ctx, t.Num, f)
	if err != nil {
		return err
	}
	limit := f.Limit - 1
	v.Rows = p.Locale.Localizer(c, t).RowErrors(t.ID, list[:min(len(list), limit)])
	for i := range v.Rows {
		if name := textutil.Deref(v.Rows[i].Column); name != "" {
			v.Rows[i].Column = new(view.Heading(t, name))
		}
	}
	v.First = rowsLink(t.ID, f, "")
	if next := view.EventCursor(list, limit); next != nil {
		v.More = rowsLink(t.ID, f, request.Cursor(*next))
	}
	return nil
}

// chooseCause adds the causes to the page, and sets Chosen in the cause that the filter selects.
func (v *taskPage) chooseCause(t *tasks.Task, groups []view.Group, f events.Filter) {
	for _, g := range groups {
		of := events.Filter{Code: g.Code, Column: textutil.Deref(g.Column), Print: textutil.Deref(g.Print)}
		cause := causeView{g, view.Heading(t, of.Column), rowsLink(v.Task.ID, of, ""), false}
		cause.Chosen = f.Code != "" && f.Code == of.Code && f.Column == of.Column && f.Print == of.Print
		v.Groups = append(v.Groups, cause)
		if cause.Chosen {
			v.Only = &cause
		}
	}
}

// rowsLink returns the path of a task's failed rows and rows in error, from the given cursor. If `f` has a
// code, a column or a fingerprint, the path has only the rows with these.
func rowsLink(id string, f events.Filter, cursor string) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"code": f.Code, "column": f.Column, "fingerprint": f.Print, "cursor": cursor,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	link := "/tasks/" + id
	if len(q) > 0 {
		link += "?" + q.Encode()
	}
	return link + "#rows"
}
