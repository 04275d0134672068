package dispatch

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// witnessKept is for how long the count of a witness is kept without a commit.
const witnessKept = 7 * 24 * time.Hour

// Attest notes in Redis how many commits the recorder of this process has made. Call it
// after a commit, before Redis forgets a job because of it. A ledger that has fewer
// commits than Redis knows of was set back.
func (f *Feeder) Attest(ctx context.Context) error { return f.attest(ctx, f.events.Witness()) }

// attest notes the last commit of a witness in Redis.
func (f *Feeder) attest(ctx context.Context, w *ledger.Witness) error {
	name, n := w.Last()
	if name == "" {
		return nil
	}
	return f.client.SetNote(ctx, name, n)
}

// sameEra returns the mark next in the era of last, if there is one.
func sameEra(last, next string) string { return ledger.Era(last) + next[len(ledger.Era(last)):] }

// otherMark reports whether Redis carries a mark that the ledger does not know, and is
// neither another nor restarted since: the ledger was set back behind that mark.
func otherMark(got, self, want string) bool {
	mark, own := strings.CutSuffix(got, "@"+self)
	return own && want != "" && mark != want
}

// hasten makes the keys due that wait in Redis for a retry. Their jobs are of before the
// ledger was set back, and are dropped when they come: rows of the ledger need not wait
// for the retry of a row that is lost. Jobs of untracked kinds stay as they are.
func (f *Feeder) hasten(ctx context.Context) error {
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

// renew has the witnesses count under the mark of the Redis in use. It finds the ledger
// set back if the mark is of another era, for another process may have found it so, and
// if the ledger lacks commits of this process.
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

// setBack reports whether the ledger lacks commits that were made since Redis carries a
// mark. It compares the ledger with Redis after a doubt, and otherwise once in a Poll.
func (f *Feeder) setBack(ctx context.Context, mark string) (bool, error) {
	back := f.tasks.Witness().SetBack(mark) || f.events.Witness().SetBack(mark)
	if !back && f.sure() != nil && time.Since(f.compared) < f.opt.Poll {
		return false, nil
	}
	begun := time.Now()
	lacks, err := f.lacks(ctx, mark)
	if err != nil {
		return false, err
	}
	if back = back || lacks; back {
		f.opt.Log.Warn("the ledger lacks commits that were made: it was restored, or a standby has taken over")
	}
	f.compared = begun
	return back, nil
}

// lacks reports whether Redis knows of a commit under a mark that the ledger does not
// have. It reads Redis first, for the counts of the ledger only rise.
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

// witnessed returns the counts of the ledger, also by their names.
func (f *Feeder) witnessed(ctx context.Context) (made map[string]int64, list []tasks.Witnessed, err error) {
	list, err = f.tasks.Witnesses(ctx)
	made = make(map[string]int64, len(list))
	for _, w := range list {
		made[w.Name] = w.Commits
	}
	return made, list, err
}

// dropWitnesses removes the counts that have not changed for long, from Redis first: a
// note of a count that is missing means a ledger that was set back.
func (f *Feeder) dropWitnesses(ctx context.Context, list []tasks.Witnessed) error {
	for _, w := range list {
		if w.Idle < witnessKept {
			continue
		}
		if err := f.client.DropNotes(ctx, w.Name); err != nil {
			return err
		}
		if err := f.tasks.DropWitness(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
