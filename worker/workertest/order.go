package workertest

import (
	"cmp"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
)

// CheckOrder fails the test if the runs of the handlers broke the promises about order. No two jobs
// of one tenant, kind and key run at once, except in one batch. The jobs of one key and task run in
// the order of their rows; after an interruption they run again from the first interrupted job. The
// rows of one batch have no order. CheckOrder ignores jobs that still run, and runs that Redeliver
// caused.
func (h *Harness) CheckOrder() {
	h.t.Helper()
	type orderKey struct{ kind, tenant, key string }
	byKey := map[orderKey][]*visit{}
	h.trace.mu.Lock()
	defer h.trace.mu.Unlock()
	for _, v := range h.trace.visits {
		if v.ended > 0 && v.call.Key != "" && !v.again {
			of := orderKey{v.call.Kind, v.call.Tenant, v.call.Key}
			byKey[of] = append(byKey[of], v)
		}
	}
	for _, list := range byKey {
		h.checkApart(list)
		h.checkInOrder(list, func(v *visit) int { return v.begun }) // the first runs
		slices.Reverse(list)
		h.checkInOrder(list, func(v *visit) int { return v.ended }) // the last runs
	}
}

// checkApart fails the test for concurrent runs of one key, except in one batch.
func (h *Harness) checkApart(list []*visit) {
	h.t.Helper()
	for i, b := range list {
		for _, a := range list[:i] {
			if a.batch != b.batch && a.ended > b.begun {
				h.t.Errorf("key %q of %s: %s began before %s had ended", b.call.Key, b.call.Kind, b.job(), a.job())
			}
		}
	}
}

// checkInOrder fails the test if rows of one task are out of order. It takes the first visit of each row
// in `list`. The numbers that the function `at` returns for these visits must not fall from row to row,
// except within a batch.
func (h *Harness) checkInOrder(list []*visit, at func(*visit) int) {
	h.t.Helper()
	byTask := map[string][]*visit{}
	seen := map[string]bool{}
	for _, v := range list {
		if v.call.TaskID != "" && !seen[v.job()] {
			seen[v.job()] = true
			byTask[v.call.TaskID] = append(byTask[v.call.TaskID], v)
		}
	}
	for _, rows := range byTask {
		slices.SortFunc(rows, func(a, b *visit) int { return cmp.Compare(seqOf(a), seqOf(b)) })
		for i, b := range rows[1:] {
			if a := rows[i]; a.batch != b.batch && at(a) > at(b) {
				h.t.Errorf("key %q of %s: row %d ran before row %d", b.call.Key, b.call.Kind, b.call.Row, a.call.Row)
			}
		}
	}
}

func seqOf(v *visit) int64 {
	_, seq, _ := events.ParseJobID(v.call.ID)
	return seq
}
