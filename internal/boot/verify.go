package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/dispatch"
)

// Verification says what to verify: see dispatch.VerifyOptions.
type Verification struct {
	Task   string `help:"Look at the task with this id only."`
	Repair bool   `help:"Mend what is found, in transactions, and tell what was done."`
}

// ErrDifferences means that events, counts and Redis do not agree, and that
// not all of it was mended.
var ErrDifferences = errors.New("differences were found")

// Verify compares events, counts and Redis, and prints on stdout what does not
// agree. It may run beside the service; in the embedded mode only while that
// is stopped, and then without Redis, which lives in it.
func Verify(
	ctx context.Context, cfg Config, what Verification, kinds Kinds, stdout io.Writer, log *slog.Logger,
) error {
	if err := cfg.Check(Role{API: true}); err != nil {
		return err
	}
	if err := cfg.hasLedger(); err != nil {
		return err
	}
	a, err := open(ctx, cfg, kinds, log)
	if err == nil {
		err = a.verify(ctx, what, stdout)
	}
	return errors.Join(err, a.down())
}

// hasLedger refuses to compare what would have to be made first: whoever has
// forgotten to say where the ledger is must not be told that all is well.
func (c Config) hasLedger() error {
	if !c.Embedded() {
		return nil
	}
	_, err := os.Stat(filepath.Join(c.DataDir, "rollcall.db"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is nothing to verify in %s: "+
			"set DATABASE_URL and REDIS_URL, or DATA_DIR", c.DataDir)
	}
	return err
}

func (a *app) verify(ctx context.Context, what Verification, stdout io.Writer) error {
	v := dispatch.NewVerifier(a.tasks, a.events, a.queue, a.kinds, dispatch.VerifyOptions{
		Task: what.Task, Repair: what.Repair, Alone: a.cfg.Embedded(), Now: a.db.Now,
		Tell: func(d dispatch.Difference) { fmt.Fprintf(stdout, "%-36s  %-60s  %s\n", d.Task, d.What, d.Done) },
	})
	out, err := v.Run(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d tasks, %d rows, %d jobs in Redis: %d differences, %d of them mended\n",
		out.Tasks, out.Events, out.Jobs, out.Differences, out.Mended)
	if out.NoRedis {
		fmt.Fprintln(stdout, "Redis was not looked at: it is not the one that was fed, and will be fed what is not at rest")
	}
	if !out.Sound() {
		return ErrDifferences
	}
	return nil
}
