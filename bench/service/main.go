// Command service is Rollcall with the sample export and a blank import, so that a bench measures
// Rollcall alone. The import has the columns of the sample worker, and a handler that does nothing. The
// argument is the role: api or worker. The handler waits for TAKES, such as 10ms. SAMPLE=true uses the
// handler of the sample worker instead. PPROF is an address that serves profiles.
package main

import (
	"context"
	"fmt"
	"net/http"
	_ "net/http/pprof" // for profiles of a bench, on an address of its own
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/worker"
)

func main() {
	var opt struct {
		settings.Config
		Role  string `arg:"" enum:"api,worker"`
		Pprof string `env:"PPROF"`

		Takes  time.Duration `env:"TAKES"`
		Sample bool          `env:"SAMPLE"`
	}
	kong.Parse(&opt)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if opt.Pprof != "" {
		go func() { fmt.Fprintln(os.Stderr, http.ListenAndServe(opt.Pprof, nil)) }()
	}
	role := settings.Role{API: opt.Role == "api", Workers: opt.Role == "worker"}
	err := boot.Run(ctx, opt.Config, role, settings.KindsOf(kinds(opt.Takes, opt.Sample)), os.Stdout, opt.Logger(os.Stderr))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// kinds returns the sample import, whose handler only waits, and the sample export. The import has 8
// shards, which 1, 2 and 4 workers can share evenly.
func kinds(takes time.Duration, sample bool) func(context.Context, *ledger.DB) (*worker.Registry, error) {
	if sample {
		return workers.Registry
	}
	handle := func(context.Context, *worker.Job[workers.Product]) error {
		if takes > 0 {
			time.Sleep(takes)
		}
		return nil
	}
	return func(ctx context.Context, db *ledger.DB) (*worker.Registry, error) {
		return worker.NewRegistry(
			worker.Define("products.import", handle, worker.Shards(8)), workers.ExportPromos(db)), workers.MakeCatalogue(ctx, db)
	}
}
