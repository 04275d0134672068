package feed

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// A delayed row has a time of its own before which it does not run. It waits in the ledger as a held
// row, and so do later rows of its key. It takes no room in Redis, so delayed rows do not delay
// others, whatever their number.

// dueKeys is how many keys of delayed rows one turn of a lane releases.
const dueKeys = 500

// Delayed reports whether a row has a time of its own and was never run.
func Delayed(e *events.Event) bool { return e.Attempt == 0 && e.NextRunAt != nil }

// HeldKey returns the key under which a row of a task is held; "" for a row that is never held. A
// delayed row without a key is held by its own id.
func HeldKey(e *events.Event, taskID string) string {
	if e.Key == "" && Delayed(e) {
		return e.ID.JobID(taskID)
	}
	return e.Key
}

// waitsUntil returns the time before which a row is not pushed, 0 if it may be pushed now.
func waitsUntil(e *events.Event, now int64) int64 {
	if Delayed(e) && *e.NextRunAt > now {
		return *e.NextRunAt
	}
	return 0
}

// nameDelayed sets the keys of delayed rows without a key: see HeldKey.
func (b *batch) nameDelayed() {
	of := map[int64]string{}
	for _, feed := range b.feeds {
		of[feed.Num] = feed.TaskID
	}
	for i := range b.rows {
		row := &b.rows[i].Event
		row.Key = HeldKey(row, of[row.ID.Num()])
	}
}

// delay holds row i if it is delayed, together with the later rows of its key.
func (b *batch) delay(i int, keys map[string]bool) {
	row := &b.rows[i].Event
	at := waitsUntil(row, b.now)
	if at == 0 || keys[row.Key] {
		return
	}
	keys[row.Key] = true
	if b.delayed == nil {
		b.delayed = map[string]int64{}
	}
	b.delayed[row.Key] = at
}

// lateOf adds the delayed resubmitted rows, and later rows of their keys, to held. It returns, by key,
// the time for which the first of these rows waits.
func (f *Feeder) lateOf(rows []pending.Row, held map[events.ID]bool) map[string]int64 {
	out, now := map[string]int64{}, f.lanes.Now()
	for i := range rows {
		row := &rows[i]
		at, waits := waitsUntil(&row.Event, now), out[row.Key] > 0
		if at > 0 && !held[row.ID] && !waits {
			out[row.Key] = at
		}
		if at > 0 || waits {
			held[row.ID] = true
		}
	}
	return out
}

// lateBack adds the delayed rows among the resubmitted rows of a second feeding to late.
func (f *Feeder) lateBack(b *batch, late map[events.ID]bool) map[events.ID]bool {
	if late == nil {
		late = map[events.ID]bool{}
	}
	back := slices.DeleteFunc(slices.Clone(b.rows), func(r pending.Row) bool { return r.Since < 0 })
	f.lateOf(back, late)
	return late
}

// withDue adds the keys of a lane whose delayed rows are due to the wanted keys.
func (f *Feeder) withDue(ctx context.Context, l lanes.Lane, wanted []string) (keys, due []string, err error) {
	if l.HeldKeys == 0 || l.TenantPaused {
		return wanted, nil, nil
	}
	if due, err = f.lanes.DueKeys(ctx, l.ID, dueKeys); err != nil || len(due) == 0 {
		return wanted, nil, err
	}
	known := make(map[string]bool, len(wanted))
	for _, key := range wanted {
		known[key] = true
	}
	for _, key := range due {
		if !known[key] {
			wanted = append(wanted, key)
		}
	}
	return wanted, due, nil
}

// noteDue records the times for which the first rows of the held keys wait.
func (r *releasing) noteDue(sh *lanes.Shift) {
	sh.Due = r.until
	for _, key := range r.due {
		if _, waits := r.until[key]; !waits && !r.left[key] {
			sh.Due[key] = 0
		}
	}
}
