// Command service is Rollcall with the columns of the sample worker and a
// handler that does nothing, so that a bench measures Rollcall alone, and with the
// sample export. Its
// argument is the role: api or worker. PPROF=address serves profiles.
package main

import (
	"context"
	"fmt"
	"net/http"
	_ "net/http/pprof" // for profiles of a bench, on an address of its own
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

func main() {
	var opt struct {
		boot.Config
		Role  string `arg:"" enum:"api,worker"`
		Pprof string `env:"PPROF"`
	}
	kong.Parse(&opt)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if opt.Pprof != "" {
		go func() { fmt.Fprintln(os.Stderr, http.ListenAndServe(opt.Pprof, nil)) }()
	}
	role := boot.Role{API: opt.Role == "api", Workers: opt.Role == "worker"}
	err := boot.Run(ctx, opt.Config, role, blank, os.Stdout, opt.Logger(os.Stderr))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func blank(db *ledger.DB) *worker.Registry {
	return worker.NewRegistry(
		worker.Define("products.import",
			func(context.Context, *worker.Job[workers.Product]) error { return nil }),
		workers.ExportPromos(db),
	)
}
