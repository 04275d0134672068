// Command api serves Rollcall over HTTP: the API for frontends, and the pages. Without
// configuration it is the whole service in one process. "api keys" manages API keys. "api health"
// reports whether a running process is ready. "api --help" lists the other commands.
package main

import (
	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// command holds the settings and commands of the program.
type command struct {
	boot.Command `embed:""`

	Keys   keyCommands    `cmd:"" help:"Create, list, rotate and revoke API keys, also while the service runs."`
	Audit  auditLog       `cmd:"" help:"Write the audit log of the owner or of a tenant as JSON lines, oldest first."`
	Tenant tenantCommands `cmd:"" help:"Export or remove a tenant, also while the service runs."`
	Demo   demoFill       `cmd:"" help:"Fill a running service with data of three tenants, and print their keys."`

	NewWorker newWorker `cmd:"" help:"Write a worker, its test and a sample from the headings of a file."`
}

// program describes cmd/api.
var program = boot.Program{
	Name: "api",
	Description: "Rollcall's API and dashboard. Without DATABASE_URL and REDIS_URL one process runs " +
		"everything, workers included.",
	Role: settings.Role{API: true}, Kinds: settings.KindsOf(workers.Registry),
}

func main() {
	var c command
	program.Main(&c, &c.Command)
}
