package reconcile

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Verifier is a comparison of the events of tasks with their counts, and of both with Redis. A
// Verifier may run while the service is busy, and reports no false differences. Its memory does not
// grow with the number of rows.
type Verifier struct {
	finder
	kinds *jobs.Registry
	opt   VerifyOptions
	out   Report
	kept  atWork
}

// NewVerifier returns a verifier. Run it once.
func NewVerifier(
	ts *tasks.Store, es *events.Store, c *queue.Client, kinds *jobs.Registry, opt VerifyOptions,
) *Verifier {
	return &Verifier{
		finder: newFinder(ts, es, c), kinds: kinds, opt: opt.withDefaults(), kept: newAtWork(kinds, defaultQuiet),
	}
}

// Run verifies the selected tasks and Redis once. It does not search for lost jobs of tasks that are on hold,
// wait for other tasks, or start later. With an error it returns the report so far.
func (v *Verifier) Run(ctx context.Context) (Report, error) {
	for num, err := range v.nums(ctx) {
		if err == nil {
			err = v.checkTask(ctx, num)
		}
		v.opt.OnProgress(v.out)
		if err != nil {
			return v.out, fmt.Errorf("verify: %w", err)
		}
	}
	if err := v.checkRedis(ctx); err != nil {
		return v.out, fmt.Errorf("verify: %w", err)
	}
	return v.out, nil
}

// nums yields the numbers of the tasks to verify.
func (v *Verifier) nums(ctx context.Context) iter.Seq2[int64, error] {
	if v.opt.Task == "" {
		return v.tasks.Nums(ctx)
	}
	return func(yield func(int64, error) bool) { yield(v.tasks.Num(ctx, v.opt.Task)) }
}

func (v *Verifier) report(task, what, done string) {
	v.out.Differences++
	if done != "" {
		v.out.Repaired++
	}
	v.opt.OnDifference(Difference{task, what, done})
}

func (v *Verifier) checkTask(ctx context.Context, num int64) error {
	a, err := v.audit(ctx, num)
	if err != nil || a == nil {
		return err
	}
	v.out.Tasks++
	v.out.Events += a.Found.Total
	list := a.Differences()
	done := ""
	if len(list) > 0 && v.opt.Repair {
		mended, err := v.counts.Repair(ctx, num)
		switch {
		case errors.Is(err, recount.ErrGaps): // only reported, because an operator must repair it
		case err != nil:
			return err
		default:
			list, done = mended, "corrected from the rows"
		}
	}
	for _, what := range list {
		v.report(a.ID, string(what), done)
	}
	return nil
}

// audit compares a task with its events. After a difference it compares them a second time, and returns the
// second result. It returns nil for a task that does not exist or is purged.
func (v *Verifier) audit(ctx context.Context, num int64) (*recount.Audit, error) {
	a, err := v.counts.Audit(ctx, num)
	if err != nil || a == nil || len(a.Differences()) == 0 {
		return a, err
	}
	periodic.Pause(ctx, v.opt.Recheck)
	return v.counts.Audit(ctx, num)
}

// redisTries is how many times the generation mark of Redis is read again. After a restart of Redis,
// a feeder must first set a new mark.
const redisTries = 10

// checkRedis compares the ledger with Redis, in both directions.
func (v *Verifier) checkRedis(ctx context.Context) error {
	if v.out.NoRedis = v.opt.LedgerOnly; v.opt.LedgerOnly {
		return nil
	}
	mark, err := v.await(ctx)
	if v.out.NoRedis = mark == ""; err != nil || mark == "" {
		return err
	}
	feeds, err := v.lanes.Feeds(ctx)
	if err != nil {
		return err
	}
	for _, task := range feeds {
		if v.opt.Task != "" && task.TaskID != v.opt.Task {
			continue
		}
		err := v.eachLostJob(ctx, mark, task, func(lost lostJob) error { return v.reportLost(ctx, task, lost) })
		if err != nil {
			return err
		}
	}
	queues, err := v.client.Admin().Queues(ctx)
	if err != nil {
		return err
	}
	for _, name := range queues {
		if err := v.checkStranded(ctx, name); err != nil {
			return err
		}
		if kind, known := v.kinds.Kind(name); known && kind.Untracked {
			continue
		}
		if err := v.checkQueue(ctx, mark, name); err != nil {
			return err
		}
	}
	return nil
}

// await waits until Redis has the generation mark of the ledger, and returns the mark. It returns "" if
// Redis lacks the mark after redisTries pauses.
func (v *Verifier) await(ctx context.Context) (string, error) {
	for try := 0; ; try++ {
		mark, ours, err := v.ours(ctx)
		switch {
		case err != nil:
			return "", err
		case ours:
			return mark, nil
		case try == redisTries:
			return "", nil
		}
		periodic.Pause(ctx, v.opt.Recheck)
	}
}

// reportLost reports a lost job. With VerifyOptions.Repair, it also repairs the job, unless a process may be
// running the job or an earlier row of its key. It pushes no job of an unregistered kind. If the row has
// ended before the repair, reportLost reports nothing.
func (v *Verifier) reportLost(ctx context.Context, task lanes.Feed, lost lostJob) error {
	if v.kept.skips(task, lost, v.opt.Now()) {
		v.report(task.TaskID, lost.String()+": not repaired, because a process may run it or a row of its key; repeat the command later", "")
		return nil
	}
	done := ""
	if _, known := v.kinds.Kind(task.Kind); v.opt.Repair && (known || lost.dead) {
		if mended, err := v.repairLost(ctx, task, lost, v.opt.Now()); err != nil || !mended {
			return err
		}
		if done = "pushed again"; lost.dead {
			done = "row ended with the status error"
		}
	}
	v.report(task.TaskID, lost.String(), done)
	return nil
}
