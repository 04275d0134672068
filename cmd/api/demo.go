package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/rollcall-dev/rollcall/cmd/api/demo"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// demoFill holds the flags of "api demo".
type demoFill struct {
	URL string `help:"Address of the running service; default: http:// and LISTEN."`
}

// Run creates API keys for three tenants and for the owner, fills the tenants with sample data, and then
// prints the API keys, also after an error during the filling. It creates nothing if the service does not
// respond.
func (f demoFill) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	if f.URL == "" {
		f.URL = "http://" + cfg.Listen
	}
	if err := demo.Reach(ctx, f.URL); err != nil {
		return err
	}
	var tenants []demo.Tenant
	var owner string
	err := boot.Keys(ctx, cfg, func(ctx context.Context, m operate.Makers) (err error) {
		for _, name := range demo.Tenants {
			_, secret, err := m.Access.Create(ctx, operator(), access.Draft{Tenant: name, Name: "demo", Role: access.Admin})
			if err != nil {
				return err
			}
			tenants = append(tenants, demo.Tenant{Name: name, Key: secret})
		}
		_, owner, err = m.Access.CreateOwner(ctx, operator(), access.Draft{Name: "demo"})
		return err
	})
	if err != nil {
		return err
	}
	fault := demo.Fill(ctx, f.URL, tenants, d.Stderr)
	w := tabwriter.NewWriter(d.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "owner\t%s\n", owner)
	for _, t := range tenants {
		fmt.Fprintf(w, "%s\t%s\n", t.Name, t.Key)
	}
	fmt.Fprintf(d.Stderr, "Sign in at %s/sign-in with one of these keys. The service now refuses requests without a key.\n", f.URL)
	return errors.Join(fault, w.Flush())
}
