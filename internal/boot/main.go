package boot

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/internal/version"
)

// Program describes a program: cmd/api or cmd/worker.
type Program struct {
	Name, Description string
	Role              settings.Role
	Kinds             settings.Kinds
}

// Command holds the settings and commands that both programs have. The library kong reads its tags. The
// struct of each program embeds it.
type Command struct {
	settings.Config `embed:""`
	Version         kong.VersionFlag `help:"Print version, commit and platform, then exit."`

	Run      Running `cmd:"" default:"1" help:"Run the process; the default without a command."`
	Health   Health  `cmd:"" help:"Check that the process on ${listen} is ready; exit code 1 if not. For containers."`
	Operator `embed:""`
}

// Running is the command run, which runs the process.
type Running struct{}

// Run runs the process until `ctx` ends.
func (Running) Run(ctx context.Context, cfg settings.Config, d settings.Terminal) error {
	return Run(ctx, cfg, d.Role, d.Kinds, d.Stdout, d.Log)
}

// Parser returns a parser for the flags and commands of a program. It stores their values in `c`,
// which must embed Command.
func (p Program) Parser(c any) (*kong.Kong, error) {
	listen := "METRICS_LISTEN"
	if p.Role.API {
		listen = "LISTEN"
	}
	return kong.New(c, kong.Name(p.Name), kong.Description(p.Description), kong.Vars{
		"listen": listen, "version": p.Name + " " + version.Line(),
	})
}

// Main parses flags and environment into `c`, which must embed `common`. It runs the chosen command
// until the command ends, or until SIGINT or SIGTERM arrives. After an error, it exits with code 1,
// or with code 80 for invalid flags.
func (p Program) Main(c any, common *Command) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := p.do(ctx, c, common)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

func (p Program) do(ctx context.Context, c any, common *Command) error {
	parser, err := p.Parser(c)
	if err != nil {
		panic(err) // the tags are wrong
	}
	parser.FatalIfErrorf(environment(parser.Model, os.LookupEnv))
	parsed, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(common.Config, settings.Terminal{
		Role: p.Role, Kinds: p.Kinds, Stdout: os.Stdout, Stderr: os.Stderr, Log: common.Logger(os.Stderr),
	})
}
