package settings

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// Role selects the parts of a process. The embedded mode runs all.
type Role struct {
	API     bool // serves HTTP
	Workers bool // splits, feeds and runs jobs
}

// Kinds returns the registry of a program. db is the ledger, in which samples have a table.
type Kinds func(ctx context.Context, db *ledger.DB) (*jobs.Registry, error)

// KindsOf returns the kinds of a registry of package worker.
func KindsOf(registry func(ctx context.Context, db *ledger.DB) (*worker.Registry, error)) Kinds {
	return func(ctx context.Context, db *ledger.DB) (*jobs.Registry, error) {
		kinds, err := registry(ctx, db)
		if err != nil {
			return nil, err
		}
		return jobs.RegistryOf(kinds), nil
	}
}

// Fixed returns Kinds that need no ledger.
func Fixed(kinds *jobs.Registry) Kinds {
	return func(context.Context, *ledger.DB) (*jobs.Registry, error) { return kinds, nil }
}

// OpenTimeout bounds the start.
const OpenTimeout = 30 * time.Second

// Terminal is the environment of an operator's command.
type Terminal struct {
	Role   Role // of the program
	Kinds  Kinds
	Stdout io.Writer // the result
	Stderr io.Writer // progress, on a terminal
	Log    *slog.Logger
}
