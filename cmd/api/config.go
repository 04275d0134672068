package main

import "github.com/rollcall-dev/rollcall/internal/boot"

// command is what the process is asked to do.
type command struct {
	boot.Config `embed:""`

	Run           struct{}    `cmd:"" default:"1" help:"Answer HTTP; so does no command at all."`
	Health        boot.Health `cmd:"" help:"Ask the process on LISTEN whether it is ready; exit code 1 if not. For containers."`
	boot.Operator `embed:""`

	Keys keys `cmd:"" help:"Create, list, rotate and revoke API keys, also while the service runs."`
}

// loadCommand reads flags and environment, or tells what is wrong and exits.
func loadCommand() (c command, asked string) {
	asked = boot.Parse(&c, "api",
		"Rollcall's API and dashboard. Without DATABASE_URL and REDIS_URL it runs everything, "+
			"workers too, in this one process.")
	return c, asked
}
