package web

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// actRefused is the name of the act in audit entries about refused requests.
const actRefused = "refused"

// A refused request is in the audit log of the tenant of its credential, or of the owner for a key of the
// owner. In each auditWindow, the first refusal of one credential for one reason has an entry. Equal
// refusals share a second entry at the end of the window. The limits auditEntries for one tenant and
// auditMost for all tenants apply to first refusals. They bound the log and the memory of a process.
// Writing an entry takes at most auditTimeout.
const (
	auditWindow  = 10 * time.Minute
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
		s.opt.Log.WarnContext(ctx, "a refusal is missing in the audit", "credential", r.credential, "err", err)
	}
}

// auditKind returns the kind of a refusal for the audit log: its code and credential.
func auditKind(r refusedRequest) refusalKind { return refusalKind{r.Code, "", r.credential} }

// tenantOf returns the tenant of the credential; "" for the owner.
func tenantOf(r refusedRequest) string { return r.tenant }
