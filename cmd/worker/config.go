package main

import (
	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/boot"
)

// command is what the process is asked to do.
type command struct {
	boot.Config `embed:""`

	Run    struct{}          `cmd:"" default:"1" help:"Run jobs; so does no command at all."`
	Verify boot.Verification `cmd:"" help:"Compare rows, counts and Redis; exit code 1 if they do not agree."`
}

// loadCommand reads flags and environment, or tells what is wrong and exits.
func loadCommand() (c command, verify bool) {
	asked := kong.Parse(&c, kong.Name("worker"), kong.Description(
		"Rollcall's workers: split uploads, run jobs, record what becomes of them. "+
			"Needs DATABASE_URL and REDIS_URL."))
	return c, asked.Command() == "verify"
}
