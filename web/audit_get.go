package web

import (
	"encoding/json"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// entryView is one entry of the audit log.
type entryView struct {
	At      *string            `json:"at" schema:"time"`
	By      string             `json:"by" doc:"The id of a key, 'oidc:' and a name, or 'local'."`
	Act     string             `json:"act" doc:"Of a task and its rows 'create', 'pause', 'resume', 'cancel', 'patch', 'fix', 'open', 'skip', 'resubmit' or 'undo'." schema:"examples=patch|rotate|kill-failed"`
	Target  string             `json:"target" doc:"The id of a task, a key or a webhook; the name of a queue, a node or a tenant."`
	EventID *string            `json:"event_id"` // the row, if it is about one
	Touched *int64             `json:"touched" doc:"How many rows or keys. Null: it goes on, or the process died in it."`
	Before  map[string]*string `json:"before,omitempty"`
	After   map[string]*string `json:"after,omitempty"`
	Code    string             `json:"code,omitempty" doc:"Of the fault that an edit left."`
	Note    string             `json:"note,omitempty"`
	First   int                `json:"first_row,omitempty"`
	Last    int                `json:"last_row,omitempty"`
	ActID   string             `json:"act_id,omitempty" doc:"Names an act on rows for '/undo'."`
	Detail  json.RawMessage    `json:"detail" doc:"What was asked for, of many rows or keys; else null."`
}

func viewEntry(e *audit.Entry) entryView {
	d := &e.Detail
	v := entryView{
		At: instant(e.At), By: e.Actor, Act: e.Act, Target: e.Target, Touched: &e.Touched,
		Code: d.Code, Note: d.Note, First: d.First, Last: d.Last, ActID: d.ActID, Detail: d.Request,
	}
	if e.Touched == audit.InProgress {
		v.Touched = nil
	}
	return v
}

// viewTaskEntry is viewEntry for a task, without the texts of sensitive cells.
func viewTaskEntry(t *tasks.Task, kind worker.Kind, e *audit.Entry) entryView {
	v := viewEntry(e)
	v.Target = t.ID
	if e.Seq > 0 {
		v.EventID = optional(events.NewID(t.Num, e.Seq).JobID(t.ID))
	}
	if e.Detail.After != nil {
		v.Before, v.After = showCells(kind, e.Detail.Before), showCells(kind, e.Detail.After)
	}
	return v
}

// auditPage answers a page of the audit of a subject.
func (s *Server) auditPage(c *gin.Context, subject string, more ...string) error {
	limit, before, err := s.listPage(c)
	if err != nil {
		return err
	}
	list, err := s.opt.Audit.List(c.Request.Context(), subject, before, limit+1, more...)
	if err != nil {
		return err
	}
	return answerAudit(c, list, limit, viewEntry)
}

// answerAudit answers the first limit entries of a list, and whether there are more.
func answerAudit(c *gin.Context, list []audit.Entry, limit int, view func(*audit.Entry) entryView) error {
	list, next := cut(list, limit, func(e *audit.Entry) int64 { return e.Num })
	return answerPage(c, views(list, view), sealed(c, next))
}

// listAudit serves GET /audit: what operators of the tenant did, and for the owner what
// concerns the owner.
func (s *Server) listAudit(c *gin.Context) error {
	return s.auditPage(c, audit.Operators(s.tenant(c)), ownersAudit(c)...)
}

// ownersAudit returns what the owner reads beside the audit of the tenant of the service.
func ownersAudit(c *gin.Context) []string {
	if caller(c).May(access.ServiceRead) {
		return []string{audit.Owner()}
	}
	return nil
}

// listKeyAudit serves GET /keys/{id}/audit: who changed the key, newest first.
func (s *Server) listKeyAudit(c *gin.Context, k *access.Key) error {
	return s.auditPage(c, audit.Key(k.ID))
}

// listTaskAudit serves GET /tasks/{id}/audit.
func (s *Server) listTaskAudit(c *gin.Context, t *tasks.Task) error {
	limit, before, err := s.listPage(c)
	if err != nil {
		return err
	}
	list, err := s.taskAudit(c, t, before, limit+1)
	if err != nil {
		return err
	}
	kind, _ := s.opt.Kinds.Kind(t.Kind) // of a kind that is gone, nothing is sensitive
	return answerAudit(c, list, limit, func(e *audit.Entry) entryView { return viewTaskEntry(t, kind, e) })
}

// taskAudit returns up to limit entries of a task; its creation is the last of all.
func (s *Server) taskAudit(c *gin.Context, t *tasks.Task, before int64, limit int) ([]audit.Entry, error) {
	list, err := s.opt.Audit.List(c.Request.Context(), audit.Task(t.Num), before, limit)
	if err == nil && len(list) < limit {
		list = append(list, t.Creation())
	}
	return list, err
}
