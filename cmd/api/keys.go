package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/user"
	"text/tabwriter"
	"time"

	"github.com/rollcall-dev/rollcall/access"
)

// keys is what can be asked about API keys.
type keys struct {
	JSON   bool      `help:"Print JSON, one object a line."`
	Create createKey `cmd:"" help:"Make a key, and print its secret: this once."`
	List   struct{}  `cmd:"" help:"List the keys of all tenants, newest first."`
	Rotate rotateKey `cmd:"" help:"Give a key a new secret, and print it: this once."`
	Revoke revokeKey `cmd:"" help:"Take a key back, with all its secrets and sessions."`
}

type createKey struct {
	Tenant  string        `default:"default" help:"Whose key it is, and all that is made with it."`
	Name    string        `required:"" help:"What it is for."`
	Role    string        `default:"admin" enum:"viewer,reviewer,operator,admin" help:"viewer, reviewer, operator or admin."`
	Expires time.Duration `help:"How long it is good for, such as 2160h; without, for ever."`
}

type rotateKey struct {
	ID    string        `arg:"" help:"As list tells it: key_…"`
	Grace time.Duration `default:"24h" help:"How long the old secret still works; 0 for not at all."`
}

type revokeKey struct {
	ID string `arg:"" help:"As list tells it: key_…"`
}

// office is where keys are dealt with. A secret goes to out, and nothing else
// does without --json, so that a shell can catch it; words go to notes.
type office struct {
	store      *access.Store
	out, notes io.Writer
}

// keyLine is a key as --json prints it.
type keyLine struct {
	ID         string      `json:"id"`
	Secret     string      `json:"secret,omitempty"`
	Prefix     string      `json:"prefix"`
	Tenant     string      `json:"tenant"`
	Name       string      `json:"name"`
	Role       access.Role `json:"role"`
	CreatedBy  string      `json:"created_by"`
	CreatedAt  *time.Time  `json:"created_at"`
	ExpiresAt  *time.Time  `json:"expires_at"`
	RevokedAt  *time.Time  `json:"revoked_at"`
	LastUsedAt *time.Time  `json:"last_used_at"`
}

func line(k *access.Key, secret string) keyLine {
	return keyLine{
		ID: k.ID, Secret: secret, Prefix: k.Prefix, Tenant: k.Tenant, Name: k.Name, Role: k.Role,
		CreatedBy: k.CreatedBy, CreatedAt: moment(k.CreatedAt), ExpiresAt: moment(k.ExpiresAt),
		RevokedAt: moment(k.RevokedAt), LastUsedAt: moment(k.LastUsedAt),
	}
}

// moment is a time in unix ms; nil if there is none.
func moment(ms int64) *time.Time {
	if ms == 0 {
		return nil
	}
	at := time.UnixMilli(ms).UTC()
	return &at
}

// run does what was asked.
func (k keys) run(ctx context.Context, asked string, o office) error {
	switch asked {
	case "create":
		return k.create(ctx, o)
	case "list":
		return k.list(ctx, o)
	case "rotate":
		return k.rotate(ctx, o)
	}
	return k.revoke(ctx, o)
}

// operator is who is at the shell, for the audit.
func operator() string {
	who, err := user.Current()
	if err != nil {
		return "shell"
	}
	return "shell:" + who.Username
}

func (k keys) create(ctx context.Context, o office) error {
	d := access.Draft{Tenant: k.Create.Tenant, Name: k.Create.Name, Role: access.Role(k.Create.Role)}
	if k.Create.Expires != 0 {
		d.ExpiresAt = time.Now().Add(k.Create.Expires)
	}
	made, secret, err := o.store.Create(ctx, operator(), d)
	if err != nil {
		return err
	}
	return k.show(o, made, secret)
}

func (k keys) rotate(ctx context.Context, o office) error {
	tenant, err := o.store.Owner(ctx, k.Rotate.ID)
	if err != nil {
		return err
	}
	secret, err := o.store.Rotate(ctx, operator(), tenant, k.Rotate.ID, k.Rotate.Grace)
	if err != nil {
		return err
	}
	turned, err := o.store.Get(ctx, tenant, k.Rotate.ID)
	if err != nil {
		return err
	}
	return k.show(o, turned, secret)
}

func (k keys) revoke(ctx context.Context, o office) error {
	tenant, err := o.store.Owner(ctx, k.Revoke.ID)
	if err != nil {
		return err
	}
	if err := o.store.Revoke(ctx, operator(), tenant, k.Revoke.ID); err != nil {
		return err
	}
	_, err = fmt.Fprintln(o.notes, k.Revoke.ID, "is revoked: within a second it opens nothing.")
	return err
}

// show prints a secret, which nobody can look up again.
func (k keys) show(o office, key *access.Key, secret string) error {
	if k.JSON {
		return json.NewEncoder(o.out).Encode(line(key, secret))
	}
	fmt.Fprintf(o.notes, "%s: %s of tenant %s, %q. Keep the secret: it is not shown again.\n",
		key.ID, key.Role, key.Tenant, key.Name)
	_, err := fmt.Fprintln(o.out, secret)
	return err
}

// pageSize is how many keys are read at once.
const pageSize = 500

func (k keys) list(ctx context.Context, o office) error {
	table := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	if !k.JSON {
		fmt.Fprintln(table, "ID\tSECRET\tTENANT\tROLE\tSTATE\tLAST USED\tNAME")
	}
	for before := int64(0); ; {
		page, err := o.store.All(ctx, before, pageSize)
		if err != nil {
			return err
		}
		for i := range page {
			if err := k.row(o, table, &page[i]); err != nil {
				return err
			}
		}
		if len(page) < pageSize {
			return table.Flush()
		}
		before = page[len(page)-1].Num
	}
}

func (k keys) row(o office, table io.Writer, key *access.Key) error {
	if k.JSON {
		return json.NewEncoder(o.out).Encode(line(key, ""))
	}
	state, used := "good", "never"
	switch {
	case key.RevokedAt > 0:
		state = "revoked"
	case key.ExpiresAt > 0 && time.Now().UnixMilli() >= key.ExpiresAt:
		state = "expired"
	case key.ExpiresAt > 0:
		state = "until " + moment(key.ExpiresAt).Format(time.DateOnly)
	}
	if key.LastUsedAt > 0 {
		used = moment(key.LastUsedAt).Format(time.RFC3339)
	}
	_, err := fmt.Fprintf(table, "%s\t%s…\t%s\t%s\t%s\t%s\t%s\n",
		key.ID, key.Prefix, key.Tenant, key.Role, state, used, key.Name)
	return err
}
