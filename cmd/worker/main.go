// Command worker runs jobs: it splits uploads into rows, feeds them to the queue, runs their
// handlers and records the outcomes. Start as many processes as needed. "worker verify" checks that
// rows, counts and Redis agree, and reports differences. "worker --help" lists the other commands.
package main

import (
	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

func main() {
	var c boot.Command
	boot.Program{
		Name: "worker",
		Description: "Rollcall's workers: read uploads, run jobs and record their outcomes. " +
			"Needs DATABASE_URL and REDIS_URL.",
		Role: settings.Role{Workers: true}, Kinds: settings.KindsOf(workers.Registry),
	}.Main(&c, &c)
}
