package feed_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
)

// work lets the worker take one job, and compares the started row with the reference.
func (tr *trial) work(t *rapid.T, to events.Status) (*lot, bool) {
	o, ok := tr.hand.next(to)
	if !ok || o.err == nil && !o.ran {
		return nil, ok
	}
	if o.err != nil {
		t.Fatal(o.err)
	}
	l := tr.lot(o.id)
	if _, may := tr.plan.may(l.lane)[o.id]; !may {
		t.Fatalf("row %d of task %d has started: %+v\n%s", o.id.Seq(), l.num, *l, tr.dump(l.lane))
	}
	if to != events.Enqueue {
		tr.end(l, o.id)
	}
	if to == events.Failed {
		tr.failed = append(tr.failed, o.id)
	}
	return l, true
}

// end ends a row. When all rows of a task have ended, the task is done, and paused only if its
// tenant is.
func (tr *trial) end(l *lot, id events.ID) {
	l.rows[id.Seq()-1].ended = true
	if !slices.ContainsFunc(l.rows, func(r *row) bool { return !r.ended }) {
		tr.resting[l.num], l.paused = false, tr.quiet[tr.tasks[l.num].Tenant]
	}
}

// lot returns the lot of a row.
func (tr *trial) lot(id events.ID) *lot {
	for _, l := range tr.plan.lots {
		if l.num == id.Num() {
			return l
		}
	}
	panic(fmt.Sprintf("row %d is of no task", id))
}

// dump returns the rows of a lane that have not ended.
func (tr *trial) dump(lane string) (out string) {
	for _, l := range tr.plan.lots {
		if l.lane != lane {
			continue
		}
		out += fmt.Sprintf("task %d, priority %d, passed %d, paused %t, late %t, canceled %t:",
			l.num, l.priority, l.passed, l.paused, l.late, l.canceled)
		for i, r := range l.rows {
			if !r.ended {
				out += fmt.Sprintf(" %d=%s pushed %t again %t;", i+1, r.key, r.pushed, r.again)
			}
		}
		out += "\n"
	}
	return out + fmt.Sprintf("%+v\n", tr.room)
}
