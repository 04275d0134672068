package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

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
	return answerAudit(c, list, limit, view.OfAuditEntry)
}

// answerAudit answers the first limit entries of a list, and whether there are more.
func answerAudit(c *gin.Context, list []audit.Entry, limit int, of func(*audit.Entry) view.AuditEntry) error {
	list, next := cut(list, limit, func(e *audit.Entry) int64 { return e.Num })
	return answerPage(c, view.All(list, of), sealed(c, next))
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
	return answerAudit(c, list, limit, func(e *audit.Entry) view.AuditEntry { return view.OfTaskAuditEntry(t, kind, e) })
}

// taskAudit returns up to limit entries of a task; its creation is the last of all.
func (s *Server) taskAudit(c *gin.Context, t *tasks.Task, before int64, limit int) ([]audit.Entry, error) {
	list, err := s.opt.Audit.List(c.Request.Context(), audit.Task(t.Num), before, limit)
	if err == nil && len(list) < limit {
		list = append(list, t.Creation())
	}
	return list, err
}
