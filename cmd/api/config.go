package main

import (
	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/boot"
)

// command is what the process is asked to do.
type command struct {
	boot.Config `embed:""`

	Run    struct{} `cmd:"" default:"1" help:"Answer HTTP; so does no command at all."`
	Health struct{} `cmd:"" help:"Ask the process on LISTEN whether it is ready; exit code 1 if not. For containers."`
	Keys   keys     `cmd:"" help:"Create, list, rotate and revoke API keys, also while the service runs."`
}

// loadCommand reads flags and environment, or tells what is wrong and exits.
func loadCommand() (c command, asked string) {
	parsed := kong.Parse(&c, kong.Name("api"), kong.Description(
		"Rollcall's API and dashboard. Without DATABASE_URL and REDIS_URL it runs everything, "+
			"workers too, in this one process."))
	return c, parsed.Command()
}
