package importers_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/tasks"
)

// of returns a function that sets the tenant and the priority of a task.
func of(tenant string, priority int) func(*tasks.Task) {
	return func(t *tasks.Task) { t.Tenant, t.Priority = tenant, priority }
}

// run reads files in the background until the test ends.
func (p *splitterEnv) run(t *testing.T, opt importers.SplitterOptions) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	opt.Poll = 10 * time.Millisecond
	go func() { defer close(ended); p.splitter(opt).Run(ctx, nil) }()
	t.Cleanup(func() { cancel(); <-ended })
}

// hold returns a callback that stops each of the first n files after its first chunk, until release
// is called.
func hold(t *testing.T, n int64) (added, release func()) {
	var chunks atomic.Int64
	goes := make(chan struct{})
	release = sync.OnceFunc(func() { close(goes) })
	t.Cleanup(release)
	return func() {
		if chunks.Add(1) <= n {
			<-goes
		}
	}, release
}

// begun returns the numbers of the tasks that have rows and are still being read.
func (p *splitterEnv) begun(t *testing.T) (nums []int64) {
	t.Helper()
	err := p.DB.Read.Table("rollcall.tasks").Where("total > 0 AND NOT total_is_final").Order("num").Pluck("num", &nums).Error
	if err != nil {
		t.Fatal(err)
	}
	return nums
}

// sealed reports whether all rows of a task were read.
func (p *splitterEnv) sealed(t *testing.T, task *tasks.Task) (final bool) {
	t.Helper()
	err := p.DB.Read.Table("rollcall.tasks").Where("num = ?", task.Num).Pluck("total_is_final", &final).Error
	if err != nil {
		t.Fatal(err)
	}
	return final
}

// once checks that a task has n rows, each once and in order.
func (p *splitterEnv) once(t *testing.T, task *tasks.Task, n int64) {
	t.Helper()
	seq := int64(0)
	for e, err := range p.Events.Each(t.Context(), task.Num, events.Filter{}) {
		if seq++; err != nil || e.ID.Seq() != seq || e.Key != fmt.Sprint("s", seq) {
			t.Fatalf("task %d: event %d has key %s (%v)", task.Num, e.ID.Seq(), e.Key, err)
		}
	}
	var total int64
	err := p.DB.Read.Table("rollcall.tasks").Where("num = ?", task.Num).Pluck("total", &total).Error
	if err != nil || seq != n || total != n {
		t.Errorf("task %d has %d rows, total %d (%v), want %d", task.Num, seq, total, err, n)
	}
}

func TestRun_LongFilesWithPriorityInFront_AnotherTenantIsReadAtOnce(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		var long []*tasks.Task
		for range 5 {
			long = append(long, p.accept(t, lines(600), of("acme", 1000)))
		}
		added, release := hold(t, 4)
		p.run(t, importers.SplitterOptions{Added: added})
		t.Cleanup(release) // runs before the cleanup that waits for the readers
		fixture.Eventually(t, "four files are read", func() bool { return len(p.begun(t)) == 4 })
		for range 3 { // one after another, so each time the tenant has used little
			short := p.accept(t, lines(10), of("globex", 0))
			fixture.Eventually(t, "the other tenant's file is read", func() bool { return p.sealed(t, short) })
			p.once(t, short, 10)
		}
		if n := len(p.begun(t)); n != 4 {
			t.Errorf("%d long files are read side by side, want 4", n)
		}
		release()
		for _, task := range long {
			fixture.Eventually(t, "a long file is read", func() bool { return p.sealed(t, task) })
			p.once(t, task, 600)
		}
	})
}

// TestRun_TaskIsCanceledWhileItIsRead_OthersGoOn: the reader of the canceled task ends, and its
// place is free again.
func TestRun_TaskIsCanceledWhileItIsRead_OthersGoOn(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		first, second := p.accept(t, lines(600)), p.accept(t, lines(600))
		added, release := hold(t, 1)
		p.run(t, importers.SplitterOptions{Files: 1, Added: added})
		t.Cleanup(release)
		fixture.Eventually(t, "the first file is read", func() bool { return len(p.begun(t)) == 1 })
		if err := p.Tasks.Cancel(t.Context(), "acme", first.ID); err != nil {
			t.Fatal(err)
		}
		release()
		fixture.Eventually(t, "the second file is read", func() bool { return p.sealed(t, second) })
		p.once(t, first, 250)
		p.once(t, second, 600)
	})
}

// TestRun_FilesOfAPausedTenant_AreReadInTurns: the files of a paused tenant and the file of another
// tenant are read in turn.
func TestRun_FilesOfAPausedTenant_AreReadInTurns(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		if err := p.Tasks.PauseTenant(t.Context(), "acme", true); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			p.accept(t, lines(3), of("acme", 1000))
		}
		short := p.accept(t, lines(3), of("globex", 0))
		var order []string
		var mu sync.Mutex
		p.run(t, importers.SplitterOptions{Files: 1, Split: func(s importers.Split) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, s.TaskID)
		}})
		fixture.Eventually(t, "all files are read", func() bool { mu.Lock(); defer mu.Unlock(); return len(order) == 21 })
		for at, id := range order {
			if id == short.ID && at > 2 {
				t.Errorf("the file of another tenant was read behind %d of the paused one", at)
			}
		}
	})
}
