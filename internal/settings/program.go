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

// Role is a selection of the parts that a process runs. The embedded mode runs all parts.
type Role struct {
	API     bool // serves HTTP
	Workers bool // splits, feeds and runs jobs
}

// Kinds is a function that returns the registry of a program. The argument `db` is the ledger, in
// which the sample workers create a table.
type Kinds func(ctx context.Context, db *ledger.DB) (*jobs.Registry, error)

// KindsOf converts a function that returns a registry of package worker to the type Kinds.
func KindsOf(registry func(ctx context.Context, db *ledger.DB) (*worker.Registry, error)) Kinds {
	return func(ctx context.Context, db *ledger.DB) (*jobs.Registry, error) {
		kinds, err := registry(ctx, db)
		if err != nil {
			return nil, err
		}
		return jobs.RegistryOf(kinds), nil
	}
}

// Fixed returns a function that always returns `kinds` and needs no ledger.
func Fixed(kinds *jobs.Registry) Kinds {
	return func(context.Context, *ledger.DB) (*jobs.Registry, error) { return kinds, nil }
}

// OpenTimeout bounds how long a program may take to open its stores at the start.
const OpenTimeout = 30 * time.Second

// Terminal holds the program and the outputs of an operator's command.
type Terminal struct {
	Role   Role // role of the program
	Kinds  Kinds
	Stdout io.Writer // the result
	Stderr io.Writer // progress, on a terminal
	Log    *slog.Logger
}
