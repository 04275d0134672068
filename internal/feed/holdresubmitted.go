package feed

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// holdResubmitted puts resubmitted rows among the held rows of their keys, each in its original place.
func (f *Feeder) holdResubmitted(grant lanes.Grant, runs []lanes.HeldRun, rows []pending.Row, n *stepResult) {
	p := putting{}
	for _, run := range runs {
		p.slots = append(p.slots, putSlot{was: run, now: []lanes.HeldRun{run}})
	}
	limit := f.windows.limit(f.windows.lane(grant.Lane))
	n.keys, n.shift.Limit = map[string]int{}, limit
	for i := range rows {
		id := rows[i].ID
		p.put(lanes.HeldRun{Key: rows[i].Key, Place: 1, Num: id.Num(), Seqs: []int64{id.Seq()}})
		n.keys[rows[i].Key] = limit
		n.shift.Back = append(n.shift.Back, lanes.PushedRow{
			Num: id.Num(), Pushed: lanes.Pushed{Seq: id.Seq(), Attempt: rows[i].Since},
		})
	}
	n.steps[0].Held = p.added
	n.shift.In = p.last
	n.shift.Due = map[string]int64{}
	for _, slot := range p.slots {
		if slot.changed {
			n.shift.Due[slot.was.Key] = lanes.Look
			n.shift.Out = append(n.shift.Out, lanes.Out{Run: slot.was, Rest: slot.now})
		}
	}
}

// behind returns the rows that are held, or that come after a held row of their key.
func behind(runs []lanes.HeldRun, rows []pending.Row) map[events.ID]bool {
	first, own := map[string]lanes.HeldRun{}, map[string]map[int64]bool{}
	for _, run := range runs {
		if own[run.Key] == nil {
			first[run.Key], own[run.Key] = run, map[int64]bool{}
		}
		own[run.Key][run.Num] = true
	}
	out := map[events.ID]bool{}
	for i := range rows {
		run, found := first[rows[i].Key]
		if id := rows[i].ID; found && id.Num() == run.Num {
			out[id] = id.Seq() >= run.Seqs[0]
		} else if found {
			out[id] = own[run.Key][id.Num()] || id.Num() > run.Num
		}
	}
	return out
}

// putting holds the runs that rows are inserted into.
type putting struct {
	slots []putSlot
	last  []lanes.HeldRun // new runs after all others, of one task
	open  map[string]int  // index in last of the last run of each key
	added int64
}

// putSlot is a run, and the runs that replace it.
type putSlot struct {
	was     lanes.HeldRun
	now     []lanes.HeldRun
	changed bool
}

// put inserts a row among the rows of its task, or before later tasks if its task has none.
func (p *putting) put(row lanes.HeldRun) {
	slot := p.slotOf(row)
	if slot < 0 {
		p.putLast(row)
		p.added++
		return
	}
	s := &p.slots[slot]
	if i := s.runOf(row); i >= 0 {
		run := &s.now[i]
		at, there := slices.BinarySearch(run.Seqs, row.Seqs[0])
		if !there {
			run.Seqs = slices.Insert(slices.Clone(run.Seqs), at, row.Seqs[0])
			p.added++
		}
		s.changed = s.changed || !there
		s.split(i)
		return
	}
	row.Place = s.was.Place
	s.now, s.changed = append([]lanes.HeldRun{row}, s.now...), true
	p.added++
}

// runOf returns the run that a row joins: the first run of its task that ends after the row, or else
// the last run of its task; -1 if there is none.
func (s *putSlot) runOf(row lanes.HeldRun) int {
	own := -1
	for i, run := range s.now {
		if run.Num != row.Num {
			continue
		}
		if own = i; run.Seqs[len(run.Seqs)-1] >= row.Seqs[0] {
			return i
		}
	}
	return own
}

// split cuts run i in two if it is too long.
func (s *putSlot) split(i int) {
	run := s.now[i]
	if len(run.Seqs) <= lanes.RunRows {
		return
	}
	rest := run
	run.Seqs, rest.Seqs = run.Seqs[:lanes.RunRows/2], run.Seqs[lanes.RunRows/2:]
	s.now[i] = run
	s.now = slices.Insert(s.now, i+1, rest)
}

// putLast inserts a row of the task after all others of its key.
func (p *putting) putLast(row lanes.HeldRun) {
	if i, ok := p.open[row.Key]; ok && len(p.last[i].Seqs) < lanes.RunRows {
		p.last[i].Seqs = append(p.last[i].Seqs, row.Seqs...)
		return
	}
	if p.open == nil {
		p.open = map[string]int{}
	}
	p.open[row.Key] = len(p.last)
	p.last = append(p.last, row)
}

// slotOf returns the slot of the key for a row: the first of its task that ends after the row, or else
// the last of its task. Without either, it returns the first slot of a later task; -1 means that the
// row comes last.
func (p *putting) slotOf(row lanes.HeldRun) int {
	own, later := -1, -1
	for i := range p.slots {
		if p.slots[i].was.Key != row.Key {
			continue
		}
		for _, run := range p.slots[i].now {
			switch {
			case run.Num == row.Num && run.Seqs[len(run.Seqs)-1] > row.Seqs[0]:
				return i
			case run.Num == row.Num:
				own = i
			case run.Num > row.Num && later < 0:
				later = i
			}
		}
	}
	if own >= 0 {
		return own
	}
	return later
}
