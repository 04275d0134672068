package main

import "github.com/rollcall-dev/rollcall/internal/boot"

// command is what the process is asked to do.
type command struct {
	boot.Config `embed:""`

	Run    struct{}    `cmd:"" default:"1" help:"Run jobs; so does no command at all."`
	Health boot.Health `cmd:"" help:"Ask the process on METRICS_LISTEN whether it is ready; exit code 1 if not. For containers."`

	boot.Operator `embed:""`
}

// loadCommand reads flags and environment, or tells what is wrong and exits.
func loadCommand() (c command, asked string) {
	asked = boot.Parse(&c, "worker",
		"Rollcall's workers: split uploads, run jobs, record what becomes of them. "+
			"Needs DATABASE_URL and REDIS_URL.")
	return c, asked
}
