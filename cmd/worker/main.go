// Command worker runs jobs: it splits uploads into rows, feeds them to the queue,
// runs their handlers and records what becomes of them. Start as many as needed.
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
	err := boot.Run(ctx, cfg, boot.Role{Workers: true}, workers.Registry, os.Stdout, cfg.Logger(os.Stderr))
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}
