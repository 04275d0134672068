package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// tenantCommands holds the commands with which the owner of the service manages a tenant.
type tenantCommands struct {
	Export exportTenant `cmd:"" help:"Write the records of a tenant as JSON lines."`
	Remove removeTenant `cmd:"" help:"Remove a tenant with its keys, schedules, webhooks, tasks and files."`
	Weight weighTenant  `cmd:"" help:"Set the share of a tenant while other tenants wait."`
	Hours  hoursTenant  `cmd:"" help:"Set the part of the day in which rows of a tenant start."`
}

type exportTenant struct {
	Tenant string `arg:"" help:"Name of the tenant."`
	Files  string `help:"Copy the files of its tasks to this folder, each named by its ID; default: no files."`
}

type removeTenant struct {
	Tenant string `arg:"" help:"Name of the tenant."`
	Yes    bool   `help:"Confirm the removal. It cannot be undone."`
	Cancel bool   `help:"Cancel unfinished tasks first; without this flag, they prevent the removal."`
}

type weighTenant struct {
	Tenant string `arg:"" help:"Name of the tenant."`
	Weight int64  `arg:"" help:"Weight, from 1 (the default) to 1000."`
}

type hoursTenant struct {
	Tenant string `arg:"" help:"Name of the tenant."`
	Hours  string `arg:"" optional:"" help:"Hours, as \"22:00-06:00 Europe/Berlin\"; default: the whole day."`
}

var errNotSure = errors.New("nothing was removed: a removal cannot be undone, so confirm it with --yes")

func (e exportTenant) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return boot.Tenants(ctx, cfg, operator(), func(ctx context.Context, all *operate.Tenants) error {
		if err := all.NoteExport(ctx, e.Tenant); err != nil {
			return err
		}
		return all.Export(ctx, e.Tenant, d.Stdout, e.copyFile)
	})
}

// copyFile copies a file of the tenant to the folder in the field Files. It does nothing if that field
// is "".
func (e exportTenant) copyFile(id string, content io.Reader) error {
	if e.Files == "" {
		return nil
	}
	if err := os.MkdirAll(e.Files, 0o700); err != nil {
		return err
	}
	to, err := os.OpenFile(filepath.Join(e.Files, filepath.Base(id)), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, content)
	return errors.Join(err, to.Close())
}

func (w weighTenant) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return boot.Tenants(ctx, cfg, operator(), func(ctx context.Context, all *operate.Tenants) error {
		if err := all.SetWeight(ctx, w.Tenant, w.Weight); err != nil {
			return err
		}
		_, err := fmt.Fprintf(d.Stderr, "Tenant %s has weight %d.\n", w.Tenant, w.Weight)
		return err
	})
}

func (h hoursTenant) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return boot.Tenants(ctx, cfg, operator(), func(ctx context.Context, all *operate.Tenants) error {
		if err := all.SetHours(ctx, h.Tenant, h.Hours); err != nil {
			return err
		}
		_, err := fmt.Fprintf(d.Stderr, "Rows of tenant %s start %s.\n", h.Tenant, cmp.Or(h.Hours, "at any time"))
		return err
	})
}

func (r removeTenant) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	if !r.Yes {
		return errNotSure
	}
	return boot.Tenants(ctx, cfg, operator(), func(ctx context.Context, all *operate.Tenants) error {
		n, err := all.Remove(ctx, r.Tenant, r.Cancel)
		begun := (*operate.CancelingError)(nil)
		switch {
		case errors.As(err, &begun):
			return fmt.Errorf("nothing was removed: %d tasks of tenant %s are being canceled; %w", begun.Tasks, r.Tenant, errCanceling)
		case errors.Is(err, operate.ErrUnfinished):
			return fmt.Errorf("%w: wait for them, or add --cancel", err)
		case err != nil:
			return err
		}
		_, err = fmt.Fprintf(d.Stderr, "Tenant %s is removed: the rows and files of %d tasks were deleted. "+
			"Limits, weight, run hours and pauses that the owner has set remain, as do revocations of users.\n", r.Tenant, n)
		return err
	})
}

var errCanceling = errors.New("repeat the command once they are canceled")
