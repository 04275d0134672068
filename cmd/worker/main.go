// Command worker runs jobs: it splits uploads into rows, feeds them to the queue,
// runs their handlers and records what becomes of them. Start as many as needed.
// "worker verify" proves that rows, counts and Redis agree, or says where not;
// "worker --help" tells what else it can be asked.
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
	c, asked := loadCommand()
	log := c.Logger(os.Stderr)
	desk := boot.Desk{Kinds: workers.Registry, Stdout: os.Stdout, Stderr: os.Stderr, Log: log}
	known, err := c.Operator.Run(ctx, c.Config, asked, desk)
	if !known {
		err = boot.Run(ctx, c.Config, boot.Role{Workers: true}, workers.Registry, os.Stdout, log)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}
