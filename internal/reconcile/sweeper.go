package reconcile

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// sweepClaim is how long a sweeper keeps its claim without a renewal. sweepTimeout bounds the work
// on one task, and the search for stranded keys of one kind.
const (
	sweepClaim   = 5 * time.Minute
	sweepTimeout = 2 * time.Minute
)

// sweepSlice is how many feeds are read at once.
const sweepSlice = 1000

// SweeperOptions holds the settings of a Sweeper. The zero value is valid.
type SweeperOptions struct {
	// Every is the interval between two sweeps. Default 1 minute.
	Every time.Duration

	// Quiet is how long a task, or a running job, must be unchanged before it is checked. Default 2
	// minutes.
	Quiet time.Duration

	// Full is the interval at which a task is checked even if it changes, since some of its jobs
	// may be stalled. Default 10 minutes.
	Full time.Duration

	// Now returns the time. Default time.Now.
	Now func() time.Time

	// Log receives every repair, and errors. Default: none.
	Log *slog.Logger
}

func (o SweeperOptions) withDefaults() SweeperOptions {
	o.Every = cmp.Or(o.Every, defaultEvery)
	o.Quiet = cmp.Or(o.Quiet, defaultQuiet)
	o.Full = cmp.Or(o.Full, 10*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Repairs holds the counts of a sweeper's repairs.
type Repairs struct {
	Fed    int64 // jobs missing in Redis, fed again
	Ended  int64 // jobs in the morgue, ended as errors
	Listed int64 // stranded keys, listed again
	Counts int64 // tasks whose counts or feed were wrong
}

// Sweeper is a loop that finds jobs that are stalled because Redis and the ledger disagree, and
// repairs them. Any number of processes may run a Sweeper, but only one of them sweeps at a time.
type Sweeper struct {
	finder
	kinds *jobs.Registry
	opt   SweeperOptions
	id    string
	last  map[int64]time.Time // by number of a task: time of its last check

	placed int64 // number of the last task whose place was checked in this pass

	listed map[string]time.Time // by kind: time of the last search for stranded keys

	kept atWork // the jobs that this sweep does not repair

	mu    sync.Mutex
	total Repairs
}

// NewSweeper returns a sweeper for the kinds of a registry.
func NewSweeper(
	ts *tasks.Store, es *events.Store, c *queue.Client, kinds *jobs.Registry, opt SweeperOptions,
) *Sweeper {
	return &Sweeper{
		finder: newFinder(ts, es, c), kinds: kinds, opt: opt.withDefaults(), id: uuid.NewString(),
		last: map[int64]time.Time{}, listed: map[string]time.Time{},
	}
}

// Repairs returns the repairs of this sweeper since NewSweeper.
func (s *Sweeper) Repairs() Repairs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Run sweeps until ctx ends. Call it once.
func (s *Sweeper) Run(ctx context.Context) {
	if periodic.Pause(ctx, s.opt.Every); ctx.Err() != nil {
		return
	}
	periodic.Loop{Every: s.opt.Every, Log: s.opt.Log, Failed: "repairing lost jobs and counts failed"}.Run(ctx, s.Sweep)
}

// Sweep checks each task for which the method `due` returns true. It checks none if another sweeper is
// sweeping, or Redis lacks the generation mark of the ledger. A task whose check fails does not delay the
// others.
func (s *Sweeper) Sweep(ctx context.Context) error {
	mine, err := s.tasks.AcquireRole(ctx, tasks.Sweeping, s.id, sweepClaim)
	if err != nil || !mine {
		return err
	}
	var faults []error
	if s.placed, err = s.lanes.Replace(ctx, s.placed, sweepSlice); err != nil {
		faults = append(faults, err)
	}
	mark, ours, err := s.ours(ctx)
	if err != nil || !ours { // feeders push all rows again
		return errors.Join(append(faults, err)...)
	}
	checked, more := s.checkFed(ctx, mark)
	if faults = append(faults, more...); checked != nil {
		faults = append(faults, s.relist(ctx, checked)...)
	}
	return errors.Join(faults...)
}

// checkFed checks the tasks that may have rows in Redis, except tasks that are on hold or wait for other
// tasks. It returns the kinds of the checked tasks, and the errors of tasks whose check failed. The kinds are
// nil if the sweep must end: the database does not answer, or another sweeper is sweeping.
func (s *Sweeper) checkFed(ctx context.Context, mark string) (checked map[string]bool, faults []error) {
	seen, checked := map[int64]time.Time{}, map[string]bool{}
	s.kept = newAtWork(s.kinds, s.opt.Quiet)
	for last := (lanes.Feed{Lane: -1}); ; {
		feeds, err := s.lanes.FedAfter(ctx, last, sweepSlice)
		if err != nil {
			return nil, append(faults, err)
		}
		for _, last = range feeds {
			if _, known := s.kinds.Kind(last.Kind); !known || !s.due(last, seen) {
				continue
			}
			checked[last.Kind] = true
			faults = append(faults, s.visit(ctx, mark, last))
			if mine, err := s.tasks.AcquireRole(ctx, tasks.Sweeping, s.id, sweepClaim); err != nil || !mine {
				return nil, append(faults, err)
			}
		}
		if len(feeds) < sweepSlice {
			s.last = seen
			return checked, faults
		}
	}
}

// due reports whether a task must be checked: it has not changed for SweeperOptions.Quiet, or its
// last check is older than SweeperOptions.Full. It stores the time of the last check in `seen`; for
// a due task this is the current time.
func (s *Sweeper) due(task lanes.Feed, seen map[int64]time.Time) bool {
	now := s.opt.Now()
	seen[task.Num] = s.last[task.Num]
	if now.Sub(time.UnixMilli(task.Moved)) < s.opt.Quiet && now.Sub(s.last[task.Num]) < s.opt.Full {
		return false
	}
	seen[task.Num], s.last[task.Num] = now, now
	return true
}

func (s *Sweeper) repairTask(ctx context.Context, num int64) error {
	mended, err := s.counts.Repair(ctx, num)
	if err != nil || len(mended) == 0 {
		return err
	}
	s.opt.Log.Warn("repaired the counts of a task", "task", num, "differences", mended)
	s.count(Repairs{Counts: 1})
	return nil
}

func (s *Sweeper) count(r Repairs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.Fed += r.Fed
	s.total.Ended += r.Ended
	s.total.Listed += r.Listed
	s.total.Counts += r.Counts
}

// visit repairs the lost jobs of a task. If all rows of the task are in the ledger, and none of them is in
// Redis or waits to be fed, visit repairs the counts of the task instead.
func (s *Sweeper) visit(ctx context.Context, mark string, task lanes.Feed) error {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	if task.TotalIsFinal && task.InRedis+task.Unfed+task.Resubmitted == 0 {
		return s.repairTask(ctx, task.Num)
	}
	return s.eachLostJob(ctx, mark, task, func(lost lostJob) error { return s.repair(ctx, task, lost) })
}

// repair repairs one lost job. It skips a job that a worker may be running, and later jobs of a skipped
// key. It never skips a job in the morgue.
func (s *Sweeper) repair(ctx context.Context, task lanes.Feed, lost lostJob) error {
	now := s.opt.Now()
	if s.kept.skips(task, lost, now) {
		return nil
	}
	if mended, err := s.repairLost(ctx, task, lost, now); err != nil || !mended {
		return err
	}
	s.opt.Log.Warn("repaired a lost job", "task", task.TaskID, "job", lost.event.ID.Seq(), "was", lost.String())
	if lost.dead {
		s.count(Repairs{Ended: 1})
	} else {
		s.count(Repairs{Fed: 1})
	}
	return nil
}
