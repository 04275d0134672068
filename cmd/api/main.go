// Command api is Rollcall's HTTP side: the API that frontends poll and the
// pages. Without configuration it is the whole service in one process.
// "api keys" makes the credentials that it asks for; "api health" asks a running one
// whether it is ready; "api --help" tells what else it can be asked.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/boot"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c, asked := loadCommand()
	if err := do(ctx, &c, asked); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

// do does what was asked.
func do(ctx context.Context, c *command, asked string) error {
	log := c.Logger(os.Stderr)
	desk := boot.Desk{Kinds: workers.Registry, Stdout: os.Stdout, Stderr: os.Stderr, Log: log}
	if known, err := c.Operator.Run(ctx, c.Config, asked, desk); known {
		return err
	}
	if asked == "health" {
		return c.Health.Ask(ctx, c.Config, boot.Role{API: true}, os.Stdout)
	}
	if asked, ok := strings.CutPrefix(asked, "keys "); ok {
		return boot.Keys(ctx, c.Config, func(ctx context.Context, store *access.Store) error {
			return c.Keys.run(ctx, strings.Fields(asked)[0], office{store, os.Stdout, os.Stderr})
		})
	}
	return boot.Run(ctx, c.Config, boot.Role{API: true}, workers.Registry, os.Stdout, log)
}
