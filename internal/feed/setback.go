package feed

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
)

// witnessKept is how long the count of a witness is kept after its last commit. A witness counts
// the commits of a process.
const witnessKept = 7 * 24 * time.Hour

// Attest stores in Redis how many commits the recorder of this process has made. Call it
// after each commit and before the ack of its jobs. A ledger with fewer commits than the
// number in Redis was set back.
func (f *Feeder) Attest(ctx context.Context) error { return f.attest(ctx, f.events.Witness()) }

// attest stores in Redis how many commits a witness has counted. Before the first commit it is a no-op.
func (f *Feeder) attest(ctx context.Context, w *ledger.Witness) error {
	name, n := w.Last()
	if name == "" {
		return nil
	}
	return f.client.SetNote(ctx, name, n)
}

// retryNow ends the wait of all keys that wait in Redis for a retry, in the queues of the registered kinds.
// Their jobs were pushed before the ledger was restored, and workers drop these jobs on delivery. A row thus
// never waits for the retry of a row that the ledger has lost. Jobs of untracked kinds keep their retry time.
func (f *Feeder) retryNow(ctx context.Context) error {
	for _, kind := range f.kinds.Kinds() {
		if kind.Untracked {
			continue
		}
		_, err := f.client.Admin().PerformAllNow(ctx, kind.Name)
		if err != nil && !errors.Is(err, queue.ErrUnknownQueue) {
			return err
		}
	}
	return nil
}

// commitUnder makes a commit without rows, which the recorder's witness counts under the generation mark
// `mark`. It makes none while the last poll is valid. A lease of a shard invalidates the poll, so no job
// of a newly leased shard runs before such a commit. The commit comes before the comparison with Redis.
// If the ledger is restored after the commit and before the comparison, the ledger lacks the commit.
func (f *Feeder) commitUnder(ctx context.Context, mark string) error {
	if last := f.known.Load(); last == nil || *last != mark {
		f.generation.Store(nil) // no job with an older mark runs in a new timeline of the witnesses
	}
	if err := f.renew(ctx, mark); err != nil || f.cached() != nil {
		return err
	}
	_, err := f.events.Record(ctx, nil)
	if errors.Is(err, lanes.ErrSetBack) {
		return nil // setBack reports it
	}
	return err
}

// renew starts new counts of the witnesses of the tasks and the events, if the mark of Redis is
// new. The timeline of a witness then increases if ledger.Era of the mark has changed, or if the
// ledger lacks commits of this process.
func (f *Feeder) renew(ctx context.Context, mark string) error {
	if last := f.known.Load(); last != nil && *last == mark {
		return nil
	}
	witnesses := []*ledger.Witness{f.tasks.Witness(), f.events.Witness()}
	points := []ledger.Point{witnesses[0].Point(), witnesses[1].Point()}
	made, _, err := f.witnessed(ctx)
	if err != nil {
		return err
	}
	for i, w := range witnesses {
		w.Renew(mark, made[points[i].Name] < points[i].Seen)
	}
	return nil
}

// setBack reports whether the ledger lacks commits that processes counted under a mark. It compares
// the ledger with Redis at most once per Options.Poll, but always if the last poll is no longer
// valid.
func (f *Feeder) setBack(ctx context.Context, mark string) (bool, error) {
	back := f.tasks.Witness().SetBack(mark) || f.events.Witness().SetBack(mark)
	if !back && f.cached() != nil && time.Since(f.compared) < f.opt.Poll {
		return false, nil
	}
	begun := time.Now()
	lacks, err := f.lacks(ctx, mark)
	if err != nil {
		return false, err
	}
	if back = back || lacks; back {
		f.opt.Log.Warn("the ledger has lost commits: it was restored from a backup, or a standby has taken over")
	}
	f.compared = begun
	return back, nil
}

// lacks reports whether a count in Redis under a mark exceeds the count in the ledger. It reads Redis
// before the ledger. Counts in the ledger only rise, so commits between the two reads do no harm. If no
// count in Redis is higher, lacks removes the counts under other marks from Redis, and calls
// dropWitnesses.
func (f *Feeder) lacks(ctx context.Context, mark string) (bool, error) {
	notes, err := f.client.Notes(ctx)
	if err != nil {
		return false, err
	}
	made, list, err := f.witnessed(ctx)
	if err != nil {
		return false, err
	}
	var past []string
	for name, n := range notes {
		switch under := strings.HasPrefix(name, ledger.WitnessPrefix+mark+":"); {
		case !under:
			past = append(past, name)
		case made[name] < n:
			return true, nil
		}
	}
	if err := f.client.DropNotes(ctx, past...); err != nil {
		return false, err
	}
	return false, f.dropWitnesses(ctx, list)
}

// witnessed returns the counts of all witnesses in the ledger, by name and as a list.
func (f *Feeder) witnessed(ctx context.Context) (made map[string]int64, list []lanes.Witnessed, err error) {
	list, err = f.lanes.Witnesses(ctx)
	made = make(map[string]int64, len(list))
	for _, w := range list {
		made[w.Name] = w.Commits
	}
	return made, list, err
}

// dropWitnesses removes the counts of witnesses that had no commit for witnessKept. It removes a count
// from Redis before it removes the count from the ledger. If only Redis had a count, setBack would report
// that the ledger lacks commits.
func (f *Feeder) dropWitnesses(ctx context.Context, list []lanes.Witnessed) error {
	for _, w := range list {
		if w.Idle < witnessKept {
			continue
		}
		if err := f.client.DropNotes(ctx, w.Name); err != nil {
			return err
		}
		if err := f.lanes.DropWitness(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
