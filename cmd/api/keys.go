package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/user"
	"text/tabwriter"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/web/view"
)

// keyCommands holds the commands for API keys.
type keyCommands struct {
	JSON   bool      `help:"Print JSON lines."`
	Create createKey `cmd:"" help:"Create a key and print its secret, which is shown only once."`
	List   listKeys  `cmd:"" help:"List the keys of all tenants, newest first."`
	Rotate rotateKey `cmd:"" help:"Give a key a new secret and print it; it is shown only once."`
	Revoke revokeKey `cmd:"" help:"Revoke a key or a user, with all secrets and sessions."`
}

type createKey struct {
	Tenant  string        `help:"Tenant of the key; \"default\" if not set. A key of the owner has no tenant."`
	Name    string        `required:"" help:"Name of the key, for people."`
	Role    string        `default:"admin" enum:"viewer,reviewer,operator,admin,owner" help:"viewer, reviewer, operator or admin of a tenant; or owner of the service, for all tenants. Only this command creates owner keys."`
	Expires time.Duration `help:"Lifetime of the key, for example 2160h; default: it never expires."`
}

type rotateKey struct {
	ID    string        `arg:"" help:"ID from list: key_…"`
	Grace time.Duration `default:"24h" help:"How long the old secret stays valid; 0: it is revoked at once."`
}

type revokeKey struct {
	ID       string `arg:"" help:"ID from list: key_…, or usr_… for a user"`
	WithMade bool   `help:"Also revoke keys, pause schedules and disable webhooks that it created."`
}

type listKeys struct{}

// console holds the store of the API keys, and the outputs of a command. Results go to `out`, and
// messages to `notes`. Without --json, only the secret of a new API key goes to `out`, so that a shell
// can capture it.
type console struct {
	store      *access.Store
	makers     operate.Makers
	json       bool
	out, notes io.Writer
}

// open opens the configured ledger, and calls `f` with a console for the API keys in it.
func (k *keyCommands) open(ctx context.Context, cfg settings.Config, d settings.Terminal, f func(context.Context, console) error) error {
	return boot.Keys(ctx, cfg, func(ctx context.Context, makers operate.Makers) error {
		return f(ctx, console{makers.Access, makers, k.JSON, d.Stdout, d.Stderr})
	})
}

// operator returns the name under which the audit log records the user of the shell.
func operator() string {
	who, err := user.Current()
	if err != nil {
		return "shell"
	}
	return "shell:" + who.Username
}

// openFor is like the method open, and also passes the tenant of the API key `id` to `f`. It returns
// access.ErrNotFound if no such API key exists.
func (k *keyCommands) openFor(
	ctx context.Context, cfg settings.Config, d settings.Terminal, id string,
	f func(ctx context.Context, o console, tenant string) error,
) error {
	return k.open(ctx, cfg, d, func(ctx context.Context, o console) error {
		tenant, err := o.store.Owner(ctx, id)
		if err != nil {
			return err
		}
		return f(ctx, o, tenant)
	})
}

func (c createKey) Run(ctx context.Context, k *keyCommands, cfg settings.Config, terminal settings.Terminal) error {
	d := access.Draft{Tenant: c.Tenant, Name: c.Name, Role: access.Role(c.Role)}
	if c.Expires != 0 {
		d.ExpiresAt = time.Now().Add(c.Expires)
	}
	return k.open(ctx, cfg, terminal, func(ctx context.Context, o console) error {
		made, secret, err := c.make(ctx, o.store, d)
		if err != nil {
			return err
		}
		return o.show(made, secret)
	})
}

func (createKey) make(ctx context.Context, store *access.Store, d access.Draft) (*access.Key, string, error) {
	if d.Role == access.Owner {
		return store.CreateOwner(ctx, operator(), d)
	}
	d.Tenant = cmp.Or(d.Tenant, "default")
	return store.Create(ctx, operator(), d)
}

func (r rotateKey) Run(ctx context.Context, k *keyCommands, cfg settings.Config, d settings.Terminal) error {
	return k.openFor(ctx, cfg, d, r.ID, func(ctx context.Context, o console, tenant string) error {
		secret, err := o.store.Rotate(ctx, operator(), tenant, r.ID, r.Grace)
		if err != nil {
			return err
		}
		rotated, err := o.store.Get(ctx, tenant, r.ID)
		if err != nil {
			return err
		}
		return o.show(rotated, secret)
	})
}

func (r revokeKey) Run(ctx context.Context, k *keyCommands, cfg settings.Config, d settings.Terminal) error {
	return k.openFor(ctx, cfg, d, r.ID, func(ctx context.Context, o console, tenant string) error {
		if r.WithMade {
			return r.withMade(ctx, o, tenant)
		}
		if err := o.store.Revoke(ctx, operator(), tenant, r.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintln(o.notes, r.ID, "is revoked: every process rejects it within a second.")
		return err
	})
}

// withMade revokes an API key and the API keys that it created. It also pauses the schedules and
// disables the webhooks that the API key created.
func (r revokeKey) withMade(ctx context.Context, o console, tenant string) error {
	e, err := o.makers.Revoke(ctx, operator(), tenant, r.ID)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.notes, "%s is revoked with what it created: %d keys are revoked, itself included, %d schedules are paused, and %d webhooks are disabled.\n",
		r.ID, e.Keys, e.Schedules, e.Webhooks)
	return err
}

// show prints an API key with its secret, which is shown only once.
func (o console) show(key *access.Key, secret string) error {
	if o.json {
		return json.NewEncoder(o.out).Encode(view.OfNewKey(key, secret))
	}
	fmt.Fprintf(o.notes, "%s: %s, %q. Keep the secret: it is not shown again.\n", key.ID, roleOf(key), key.Name)
	_, err := fmt.Fprintln(o.out, secret)
	return err
}

// roleOf describes the role and the tenant of an API key.
func roleOf(key *access.Key) string {
	if key.Role == access.Owner {
		return "owner of the service"
	}
	return fmt.Sprintf("%s of tenant %s", key.Role, key.Tenant)
}

const pageSize = 500

func (listKeys) Run(ctx context.Context, k *keyCommands, cfg settings.Config, d settings.Terminal) error {
	return k.open(ctx, cfg, d, func(ctx context.Context, o console) error { return o.list(ctx) })
}

func (o console) list(ctx context.Context) error {
	table := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	if !o.json {
		fmt.Fprintln(table, "ID\tSECRET\tTENANT\tROLE\tSTATE\tLAST USED\tNAME")
	}
	for before := int64(0); ; {
		page, err := o.store.All(ctx, before, pageSize)
		if err != nil {
			return err
		}
		for i := range page {
			if err := o.row(table, &page[i]); err != nil {
				return err
			}
		}
		if len(page) < pageSize {
			return table.Flush()
		}
		before = page[len(page)-1].Num
	}
}

func (o console) row(table io.Writer, key *access.Key) error {
	if o.json {
		return json.NewEncoder(o.out).Encode(view.OfNewKey(key, ""))
	}
	state, used := "good", "never"
	switch {
	case key.RevokedAt > 0:
		state = "revoked"
	case key.ExpiresAt > 0 && time.Now().UnixMilli() >= key.ExpiresAt:
		state = "expired"
	case key.ExpiresAt > 0:
		state = "until " + time.UnixMilli(key.ExpiresAt).UTC().Format(time.DateOnly)
	}
	if key.LastUsedAt > 0 {
		used = time.UnixMilli(key.LastUsedAt).UTC().Format(time.RFC3339)
	}
	_, err := fmt.Fprintf(table, "%s\t%s…\t%s\t%s\t%s\t%s\t%s\n",
		key.ID, key.Prefix, key.Tenant, key.Role, state, used, key.Name)
	return err
}
