// Command api is Rollcall's HTTP side: the API that frontends poll and the
// pages. Without configuration it is the whole service in one process.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/boot"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg := loadConfig()
	err := boot.Run(ctx, cfg, boot.Role{API: true}, workers.Registry, os.Stdout, cfg.Logger(os.Stderr))
	if err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}
