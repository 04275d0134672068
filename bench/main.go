// Command bench measures Rollcall on this machine, on private servers that it starts itself. It prints
// the minimum, the median and the maximum of several runs. Compare only figures of the same run.
//
//	cd bench && go run . import poll --runs 3
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/boot"
)

type options struct {
	Names    []string `arg:"" optional:"" help:"Benches to run; none: all."`
	Runs     int      `default:"3" help:"Runs of each."`
	JSON     bool     `name:"json" xor:"form" help:"One JSON object a line."`
	Markdown bool     `xor:"form" help:"A table in Markdown."`
	Profile  string   `help:"File to write a CPU profile of this process to."`
	Rows     int      `default:"2000000" help:"Rows of the bench growth."`
	AOF      bool     `name:"aof" help:"The Redis servers of the queue benches keep a log on disk."`
}

// benches holds all benches by name.
var benches = map[string]func(context.Context, *lab, int) ([]figure, error){
	"backlog":       benchBacklog,
	"events-pages":  benchEventsPages,
	"export":        benchExport,
	"fairness":      benchFairness,
	"growth":        benchGrowth,
	"hotkey":        benchHotKey,
	"import":        benchImport,
	"import-sample": benchImportSample,
	"poll":          benchPoll,
	"poll-304":      benchPoll304,
	"poll-changing": benchPollChanging,
	"preview":       benchPreview,
	"queue-depth":   benchQueueDepth,
	"queue-enqueue": benchQueueEnqueue,
	"queue-idle":    benchQueueIdle,
	"queue-latency": benchQueueLatency,
	"queue-memory":  benchQueueMemory,
	"queue-process": benchQueueProcess,
	"queue-scripts": benchQueueScripts,
	"result-xlsx":   benchResultXLSX,
	"row-shape":     benchRowShape,
	"read-csv":      benchReadCSV,
	"read-xlsx":     benchReadXLSX,
	"scale":         benchScale,
	"singles":       benchSingles,
	"split":         benchSplit,
	"sse":           benchSSE,
	"tracked":       benchTracked,
	"tracked-depth": benchTrackedDepth,
	"tracked-disk":  benchTrackedDisk,
	"upload":        benchUpload,
}

func main() {
	var opt options
	boot.CollectRarely() // as cmd/worker does; peers in this process have the same advantage
	kong.Parse(&opt, kong.Name("bench"), kong.Description("Measure Rollcall on this machine."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := profiled(opt.Profile, func() error { return run(ctx, opt) }); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

// profiled runs f, and writes a CPU profile of it to path, unless path is empty.
func profiled(path string, f func() error) error {
	if path == "" {
		return f()
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}

func run(ctx context.Context, opt options) error {
	known := []string{}
	for name := range benches {
		known = append(known, name)
	}
	slices.Sort(known)
	if len(opt.Names) == 0 {
		opt.Names = known
	}
	for _, name := range opt.Names {
		if benches[name] == nil {
			return fmt.Errorf("there is no bench %q; there are: %s", name, strings.Join(known, ", "))
		}
	}
	return inLab(opt.AOF, func(l *lab) error {
		l.rows = opt.Rows
		out := printer{json: opt.JSON, markdown: opt.Markdown}
		for _, name := range opt.Names {
			figures, err := benches[name](ctx, l, opt.Runs)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			out.print(figures)
		}
		return nil
	})
}
