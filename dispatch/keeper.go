package dispatch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// The pace of a keeper: how long it may take for one step, how long its turn
// lasts beyond that, and how many tasks or files it takes at once.
const (
	keepTimeout = 2 * time.Minute
	keepTurn    = 5 * time.Minute
	keepChunk   = 100
)

// KeeperOptions tunes a Keeper. The zero value works.
type KeeperOptions struct {
	// Files is how long an uploaded file is kept once its task is done; it
	// goes with the task at the latest. Default 7 days.
	Files time.Duration

	// Period is for how long tasks share a partition of events, which is
	// dropped once all of them are purged. Default 24h.
	Period time.Duration

	// Audit is the log whose entries are deleted once they are older than AuditKeep. Nil: none.
	Audit *audit.Log

	// AuditKeep is how long an entry of the audit log is kept, but one of a task, which stays
	// as long as the task. Default 365 days.
	AuditKeep time.Duration

	// Every is how often to look. Default 10 minutes.
	Every time.Duration

	// Log gets what was removed, and faults. Default: none.
	Log *slog.Logger
}

func (o KeeperOptions) withDefaults() KeeperOptions {
	o.Files = cmp.Or(o.Files, 7*24*time.Hour)
	o.Period = cmp.Or(o.Period, 24*time.Hour)
	o.AuditKeep = cmp.Or(o.AuditKeep, 365*24*time.Hour)
	o.Every = cmp.Or(o.Every, 10*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return o
}

// Keeper removes what has been kept for long enough, and makes room for what
// comes. Any number may run; one at a time does the work.
type Keeper struct {
	tasks  *tasks.Store
	events *events.Store
	files  blobs.Store
	opt    KeeperOptions
	who    string
}

// NewKeeper returns a keeper of tasks, their events and their files.
func NewKeeper(ts *tasks.Store, es *events.Store, files blobs.Store, opt KeeperOptions) *Keeper {
	return &Keeper{
		tasks: ts, events: es, files: files, opt: opt.withDefaults(), who: uuid.NewString(),
	}
}

// Run keeps until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	periodic.Loop{Every: k.opt.Every, Log: k.opt.Log, Failed: "retention failed"}.Run(ctx, k.Keep)
}

// Keep does the work once, unless another keeper is at it. A step that fails
// holds up no other, but that nothing is purged whose file could not be
// deleted.
func (k *Keeper) Keep(ctx context.Context) error {
	mine, err := k.tasks.Turn(ctx, tasks.Keeping, k.who, keepTurn)
	if err != nil || !mine {
		return err
	}
	var faults []error
	for _, step := range []func(context.Context) error{k.prepare, k.erase, k.expire, k.purge, k.sweep, k.discard, k.forget, k.expireAudit} {
		faults = append(faults, k.step(ctx, step))
	}
	return errors.Join(faults...)
}

// step bounds a step. The turn is kept for it.
func (k *Keeper) step(ctx context.Context, f func(context.Context) error) error {
	if mine, err := k.tasks.Turn(ctx, tasks.Keeping, k.who, keepTurn); err != nil || !mine {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	return f(ctx)
}

func (k *Keeper) prepare(ctx context.Context) error {
	made, err := k.events.Prepare(ctx, k.opt.Period)
	k.tell("made partitions of events", "partitions", int64(made))
	return err
}

// deleteFile deletes a file and then notes the deletion. After a crash in between, the keeper
// deletes the file once more; a missing file is not an error.
func (k *Keeper) deleteFile(ctx context.Context, f tasks.OldFile) error {
	if err := k.files.Delete(ctx, f.FileID); err != nil && !errors.Is(err, blobs.ErrNotFound) {
		return err
	}
	return k.tasks.FileGone(ctx, f)
}

// expire deletes old files.
func (k *Keeper) expire(ctx context.Context) error {
	n := int64(0)
	for {
		list, err := k.tasks.OldFiles(ctx, k.opt.Files, keepChunk)
		if err != nil {
			return err
		}
		for _, f := range list {
			if err := k.deleteFile(ctx, f); err != nil {
				return err
			}
			n++
		}
		if len(list) < keepChunk {
			k.tell("deleted old files", "files", n)
			return nil
		}
	}
}

func (k *Keeper) purge(ctx context.Context) error {
	total := int64(0)
	for {
		n, err := k.tasks.Purge(ctx, keepChunk)
		if total += n; err != nil || n == 0 {
			k.tell("purged tasks", "tasks", total)
			return err
		}
	}
}

// sweep removes what is left of purged tasks, also of those whose deletion broke off. An
// error of one task leaves the others to be swept.
func (k *Keeper) sweep(ctx context.Context) error {
	var faults []error
	for after := int64(0); ctx.Err() == nil; {
		list, err := k.tasks.Sweeping(ctx, after, keepChunk)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, r := range list {
			after = r.Num
			if err := k.tasks.Sweep(ctx, r, k.events.Erase); err != nil {
				faults = append(faults, err)
			}
		}
		if len(list) < keepChunk {
			break
		}
	}
	return errors.Join(faults...)
}

func (k *Keeper) discard(ctx context.Context) error {
	n, err := k.events.Discard(ctx)
	k.tell("discarded events of purged tasks", "partitions_or_rows", n)
	return err
}

// forget removes processes that no kept row names.
func (k *Keeper) forget(ctx context.Context) error {
	n, err := k.events.ForgetRunners(ctx)
	k.tell("forgot processes", "processes", n)
	return err
}

func (k *Keeper) tell(what, unit string, n int64) {
	if n > 0 {
		k.opt.Log.Info(what, unit, n)
	}
}
