package importers_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the environment variables of a process that is killed while it reads files.
const (
	envKillLedger = "IMPORTERS_KILL_LEDGER"
	envKillRedis  = "IMPORTERS_KILL_REDIS"
	envKillFiles  = "IMPORTERS_KILL_FILES"
)

// killedClaim is how long the claims of that process remain after its death.
const killedClaim = 2 * time.Second

// readAndDie is the main function of a process that is killed after the first chunk of its fourth
// file.
func readAndDie(url string) {
	s, err := fixture.Open(context.Background(), fixture.Options{
		Ledger: url, Redis: os.Getenv(envKillRedis), Folder: os.Getenv(envKillFiles), Kinds: fixture.Kinds(itemKind),
	})
	if err != nil {
		panic(err)
	}
	var files atomic.Int64
	opt := importers.SplitterOptions{Claim: killedClaim, Added: func() {
		if files.Add(1) == 4 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		select {}
	}}
	importers.NewSplitter(s.Tasks, s.Events, s.Files, s.Kinds, opt).Run(context.Background(), nil)
}

func TestRun_ProcessIsKilledWithFourFiles_AnotherReadsEachRowOnce(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		var files []*tasks.Task
		for range 4 {
			files = append(files, p.accept(t, lines(600)))
		}
		if err := p.DB.Close(); err != nil { // SQLite serves one process at a time
			t.Fatal(err)
		}
		path, err := filepath.Abs(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		testenv.StartProcess(t, path, []string{
			envKillLedger + "=" + p.Options.Ledger, envKillRedis + "=" + p.Options.Redis, envKillFiles + "=" + p.Options.Folder,
		}).Wait()
		p.Service = fixture.New(t, fixture.Options{
			Ledger: p.Options.Ledger, Folder: p.Options.Folder, Kinds: fixture.Kinds(itemKind),
		})
		if n := len(p.begun(t)); n != 4 {
			t.Fatalf("the process died with %d files that it had begun, want 4", n)
		}
		p.run(t, importers.SplitterOptions{})
		for _, task := range files {
			fixture.Eventually(t, "the file is read", func() bool { return p.sealed(t, task) })
			p.once(t, task, 600)
		}
	})
}
