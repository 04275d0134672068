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
	if err := do(ctx, &c, asked); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

// do does what was asked.
func do(ctx context.Context, c *command, asked string) error {
	log, role := c.Logger(os.Stderr), boot.Role{Workers: true}
	desk := boot.Desk{Kinds: workers.Registry, Stdout: os.Stdout, Stderr: os.Stderr, Log: log}
	if known, err := c.Operator.Run(ctx, c.Config, asked, desk); known {
		return err
	}
	if asked == "health" {
		return c.Health.Ask(ctx, c.Config, role, os.Stdout)
	}
	return boot.Run(ctx, c.Config, role, workers.Registry, os.Stdout, log)
}
