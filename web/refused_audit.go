package web

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// actRefused is the act of refused requests in the audit log.
const actRefused = "refused"

// Rejected requests with a credential of a tenant are in the audit log of the tenant. Rejected
// requests with a key of the owner are in the audit log of the owner. In each auditWindow, there is
// one entry for each credential and reason, with the number of requests, and at most auditEntries
// entries for each tenant. auditMost bounds the memory of a process for all tenants. auditTimeout
// bounds the write.
const (
	auditWindow  = 10 * time.Minute
	auditEntries = 50
	auditMost    = 200 * auditEntries
	auditTimeout = 5 * time.Second
)

// auditRefusal adds an entry for refused requests. left is as in refusalLog: the number of requests
// after the first.
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

// tenantOf returns the tenant of an entry; "" is the owner.
func tenantOf(r refusedRequest) string { return r.tenant }
