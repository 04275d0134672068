package web

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// actRefused is the act of refused requests in the audit log.
const actRefused = "refused"

// Refused requests with a credential of a tenant are in its audit log, those with a key of the
// owner in that of the owner: one entry in auditWindow for each credential and reason, and
// auditEntries of a tenant, with how many there were. auditMost bounds the memory of a process
// for all tenants. auditTimeout bounds the write.
const (
	auditWindow  = 10 * time.Minute
	auditEntries = 50
	auditMost    = 200 * auditEntries
	auditTimeout = 5 * time.Second
)

// auditRefusal adds an entry for refused requests. left is as in refusalLog: how many there
// were after the first.
func (s *Server) auditRefusal(r refusedRequest, left int64) {
	ctx, cancel := context.WithTimeout(context.Background(), auditTimeout)
	defer cancel()
	_, err := s.opt.Audit.Begin(ctx, audit.Entry{
		Subject: audit.Operators(r.tenant), Actor: "system", Act: actRefused, Target: r.credential,
		Touched: max(left, 1), Detail: audit.Detail{Note: r.Code + " from " + r.client},
	})
	if err != nil {
		s.opt.Log.WarnContext(ctx, "a refusal is missing in the audit", "credential", r.credential, "err", err)
	}
}

// auditKind returns the reason and credential of an entry.
func auditKind(r refusedRequest) refusalKind { return refusalKind{r.Code, "", r.credential} }

// tenantOf returns the tenant that an entry is of; "" is the owner.
func tenantOf(r refusedRequest) string { return r.tenant }
