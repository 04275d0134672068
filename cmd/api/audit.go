package main

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/web/view"
)

// auditLog holds the flags of "api audit".
type auditLog struct {
	Tenant string `help:"Name of the tenant; default: the audit of the owner."`
}

// Run prints the audit log of the owner or of a tenant.
func (a auditLog) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return boot.Keys(ctx, cfg, func(ctx context.Context, m operate.Makers) error {
		return view.WriteAudit(d.Stdout, m.Log.Span(ctx, audit.Operators(a.Tenant), 0, 1<<62))
	})
}
