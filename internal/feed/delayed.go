package feed

import (
	"context"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// A delayed row has its own earliest start time. It waits in the ledger as a held row, and so do
// later rows of its key. It takes no room in Redis, so even many delayed rows do not delay rows of
// other keys.

// dueKeys is the greatest number of keys with delayed rows that the feeder releases each time it serves
// a lane.
const dueKeys = 500

// Delayed reports whether a row has its own start time and was never run.
func Delayed(e *events.Event) bool { return e.Attempt == 0 && e.NextRunAt != nil }

// HeldKey returns the key under which a row of a task is held; "" for a row that is never held. A
// delayed row without a key is held by its own id.
func HeldKey(e *events.Event, taskID string) string {
	if e.Key == "" && Delayed(e) {
		return e.ID.JobID(taskID)
	}
	return e.Key
}

// waitsUntil returns the start time of a delayed row, in unix ms, if it is later than `now`.
// Otherwise it returns 0: the row may be pushed.
func waitsUntil(e *events.Event, now int64) int64 {
	if Delayed(e) && *e.NextRunAt > now {
		return *e.NextRunAt
	}
	return 0
}

// nameDelayed sets the field Key of delayed rows without a key to the result of the function HeldKey.
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

// noteDelayed adds the key of row `i` to `keys` if the row is delayed and not due. The method hold then
// holds the row and the later rows of its key.
func (b *batch) noteDelayed(i int, keys map[string]bool) {
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

// holdDelayed adds rows to the set `held`: resubmitted rows that are delayed and not due, and the
// later rows of their keys. It returns the start time of the first row added for each key.
func (f *Feeder) holdDelayed(rows []pending.Row, held map[events.ID]bool) map[string]int64 {
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

// addDelayed adds rows of a batch to the set `late`. It adds the resubmitted rows that are delayed
// and not due, and the later resubmitted rows of their keys. It returns `late`, or a new set if
// `late` is nil.
func (f *Feeder) addDelayed(b *batch, late map[events.ID]bool) map[events.ID]bool {
	if late == nil {
		late = map[events.ID]bool{}
	}
	back := slices.DeleteFunc(slices.Clone(b.rows), func(r pending.Row) bool { return r.Since < 0 })
	f.holdDelayed(back, late)
	return late
}

// withDue returns the wanted keys of a lane together with its due keys. The first held row of a due key has
// reached its start time, or must be read again. The result `due` holds only the due keys.
func (f *Feeder) withDue(ctx context.Context, l lanes.Lane, wanted []string) (keys, due []string, err error) {
	if l.HeldKeys == 0 || l.Paused {
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

// noteDue stores in sh.Due the start time of each key whose next held row is not due. For the other due
// keys, except keys in r.left, it stores 0: no start time delays the key.
func (r *releasing) noteDue(sh *lanes.Shift) {
	sh.Due = r.until
	for _, key := range r.due {
		if _, waits := r.until[key]; !waits && !r.left[key] {
			sh.Due[key] = 0
		}
	}
}
