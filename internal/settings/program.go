package settings

import (
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

// Kinds returns the registry of a program; db is the ledger, for samples.
type Kinds func(db *ledger.DB) *jobs.Registry

// KindsOf returns the kinds of a registry of package worker.
func KindsOf(registry func(db *ledger.DB) *worker.Registry) Kinds {
	return func(db *ledger.DB) *jobs.Registry { return jobs.RegistryOf(registry(db)) }
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
