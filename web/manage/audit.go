package manage

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// OwnersAudit returns the audit logs that the owner reads beside the log of the tenant of the service.
func OwnersAudit(ctx context.Context) []string {
	if auth.Caller(ctx).May(access.ServiceRead) {
		return []string{audit.Owner()}
	}
	return nil
}

// TaskAudit returns up to limit entries of a task; the entry of its creation is the last.
func (s *Service) TaskAudit(ctx context.Context, t *tasks.Task, before int64, limit int) ([]audit.Entry, error) {
	list, err := s.Audit.List(ctx, audit.Task(t.Num), before, limit)
	if err == nil && len(list) < limit {
		list = append(list, tasks.Creation(t))
	}
	return list, err
}

// TaskActs returns up to limit entries of a task, newest first, without the edits of single rows;
// its creation is the last of all.
func (s *Service) TaskActs(ctx context.Context, t *tasks.Task, limit int) ([]audit.Entry, error) {
	list, err := s.Audit.Acts(ctx, t.Num, limit)
	if err == nil && len(list) < limit {
		list = append(list, tasks.Creation(t))
	}
	return list, err
}
