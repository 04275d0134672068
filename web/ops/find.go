package ops

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// foundShown is the greatest number of jobs that one page of a text search lists. A search by key lists at
// most foundShown jobs of each kind.
const foundShown = 50

// opsFindPage holds the data of the page that searches the jobs of a tenant.
type opsFindPage struct {
	opsFrame
	Asked   string
	Missing bool       // no job has the requested id
	Keys    []opsFound // rows of the key, by kind, newest first
	Rows    []opsFound // rows with the text in their values or errors, newest tasks first
	More    string     // address of the next page of the search for the text; "" on the last page
	First   string     // address of the first page; "" on the first page
}

// opsFound is a job that a search has found.
type opsFound struct {
	At, Task, Key, Message string
	Row                    int
	State                  opsState
	Ended                  *string
}

// opsFind serves GET /ops/rows, the search for jobs by id, key or text. For the id of a row or task, it
// redirects to the page of that row or task.
func (p *Handlers) opsFind(c *gin.Context) error {
	v := opsFindPage{Asked: strings.TrimSpace(c.Query("q"))}
	if v.Asked == "" {
		return p.renderFind(c, http.StatusOK, v)
	}
	if to, err := p.idOf(c, v.Asked); to != "" || err != nil {
		return seeOther(c, to, err)
	}
	_, at, err := request.Page(c)
	if err != nil {
		return err
	}
	if v.Keys, err = p.findKey(c, v.Asked); err != nil {
		return err
	}
	s := textSearch{text: v.Asked, at: events.ID(at), most: foundShown}
	if err := p.findText(c, &s); err != nil {
		return err
	}
	v.Rows = slices.DeleteFunc(s.found, func(row opsFound) bool {
		return slices.ContainsFunc(v.Keys, func(of opsFound) bool { return of.At == row.At })
	})
	here := url.Values{"q": {v.Asked}}
	if s.next > 0 {
		v.More = rowsPath + "?" + here.Encode() + "&cursor=" + request.Cursor(int64(s.next))
	}
	if at > 0 {
		v.First, v.Keys = rowsPath+"?"+here.Encode(), nil
	}
	return p.renderFind(c, http.StatusOK, v)
}

func (p *Handlers) renderFind(c *gin.Context, status int, v opsFindPage) error {
	v.opsFrame = p.opsFrame(c, request.Printer(c).Text("ops.door.rows"), rowsPath)
	return p.Render.Page(c, status, "ops_find.html", v)
}

// idOf returns the path of the page of the row or task with this id; "" if there is no such row or task.
func (p *Handlers) idOf(c *gin.Context, id string) (to string, err error) {
	if _, _, err := events.ParseJobID(id); err == nil {
		_, e, err := p.Rows.EventOf(c.Request.Context(), id)
		if prob := problem.OfClient(err); prob != nil {
			return "", nil
		}
		if err != nil || e == nil {
			return "", err
		}
		return rowsPath + "/" + url.PathEscape(id), nil
	}
	t, err := p.Tasks.Get(c.Request.Context(), request.Tenant(c), id)
	if prob := problem.OfClient(err); prob != nil {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return "/tasks/" + t.ID, nil
}

// findKey returns the newest rows of the tenant with a key, up to foundShown of each registered kind.
func (p *Handlers) findKey(c *gin.Context, key string) (out []opsFound, err error) {
	for _, kind := range p.Kinds.Names() {
		lane := events.Lane{Tenant: request.Tenant(c), Kind: kind}
		list, err := p.Events.KeyBefore(c.Request.Context(), lane, key, events.Newest, foundShown)
		if err != nil {
			return nil, err
		}
		for i := range list {
			row, err := p.keyRow(c, key, &list[i])
			if err != nil {
				return nil, err
			}
			out = append(out, row)
		}
	}
	return out, nil
}

// keyRow returns a row of a key for the list of found jobs. If the row has failed or is in error, keyRow
// also reads its fault.
func (p *Handlers) keyRow(c *gin.Context, key string, r *events.KeyRow) (opsFound, error) {
	id := r.ID.JobID(r.TaskID)
	out := opsFound{
		At: rowsPath + "/" + id, Task: r.TaskName, Key: key, Row: r.Row,
		State: rowState(request.Printer(c), r.Status, r.Attempt), Ended: view.InstantOf(textutil.Optional(r.FinishedAt)),
	}
	if !r.Status.Bad() {
		return out, nil
	}
	t, e, err := p.Rows.EventOf(c.Request.Context(), id)
	if problem.OfClient(err) != nil { // deleted meanwhile
		return out, nil
	}
	if err != nil {
		return out, err
	}
	return p.foundRow(c, p.Locale.Localizer(c, t), r.TaskName, id, e), nil
}

// foundRow returns a row for the list of found jobs.
func (p *Handlers) foundRow(c *gin.Context, v view.Localizer, name string, id string, e *events.Event) opsFound {
	shown := v.Event(e)
	out := opsFound{
		At: rowsPath + "/" + id, Task: name, Key: e.Key, Row: e.Row, Message: textutil.Deref(shown.Message),
		State: rowState(request.Printer(c), e.Status, e.Attempt), Ended: view.InstantOf(e.FinishedAt),
	}
	if fault := v.Fault(e); fault != "" {
		out.Message = fault
	}
	out.Message = render.Clip(out.Message)
	return out
}
