package web

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// actRefused is the name of the act in audit entries about refused requests.
const actRefused = "refused"

// Entries about refused requests are in the audit log of the credential's tenant, or of the owner for an
// API key of the owner. In each auditPeriod, the first refusal of a credential for a reason gets an
// entry. Equal refusals share a second entry at the end of the period. At most auditEntries first
// refusals of a tenant, and auditMost of all tenants, get an entry. These limits bound the log and the
// memory of a process. Writing an entry takes at most auditTimeout.
const (
	auditPeriod  = 10 * time.Minute
	auditEntries = 50
	auditMost    = 200 * auditEntries
	auditTimeout = 5 * time.Second
)

// auditRefusal adds an audit entry about refused requests. The argument `left` is the number of requests
// after the first; 0 for the first.
func (s *Server) auditRefusal(r refusedRequest, left int64) {
	ctx, cancel := context.WithTimeout(context.Background(), auditTimeout)
	defer cancel()
	_, err := s.opt.Audit.Begin(ctx, audit.Entry{
		Subject: audit.Operators(r.tenant), Actor: "system", Act: actRefused, Target: r.credential,
		Touched: max(left, 1), Detail: audit.Detail{Note: r.Code + " from " + r.client},
	})
	if err != nil {
		s.opt.Log.WarnContext(ctx, "a rejected request is not in the audit log", "credential", r.credential, "err", err)
	}
}

// auditClass returns the class of a refusal for the audit log: its code and credential.
func auditClass(r refusedRequest) refusalClass { return refusalClass{r.Code, "", r.credential} }

// tenantOf returns the tenant of the credential; "" for the owner.
func tenantOf(r refusedRequest) string { return r.tenant }
