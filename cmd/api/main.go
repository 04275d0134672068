// Command api is Rollcall's HTTP side: the API that frontends poll and the
// pages. Without configuration it is the whole service in one process.
// "api keys" makes the credentials that it asks for; "api health" asks a running one
// whether it is ready.
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
	var err error
	if asked == "health" {
		err = boot.Healthy(ctx, c.Config)
	} else if asked, ok := strings.CutPrefix(asked, "keys "); ok {
		err = boot.Keys(ctx, c.Config, func(ctx context.Context, store *access.Store) error {
			return c.Keys.run(ctx, strings.Fields(asked)[0], office{store, os.Stdout, os.Stderr})
		})
	} else {
		err = boot.Run(ctx, c.Config, boot.Role{API: true}, workers.Registry, os.Stdout, c.Logger(os.Stderr))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}
