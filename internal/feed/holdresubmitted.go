package feed

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// holdResubmitted puts resubmitted rows among the held rows of their keys, each in its original place.
// It adds the change to the result `n`.
func (f *Feeder) holdResubmitted(grant lanes.LaneClaim, runs []lanes.HeldRun, rows []pending.Row, n *stepResult) {
	p := putting{}
	for _, run := range runs {
		p.slots = append(p.slots, putSlot{old: run, runs: []lanes.HeldRun{run}})
	}
	limit := f.windows.limit(f.windows.lane(grant.Lane))
	n.keys, n.shift.Limit = map[string]int{}, limit
	for i := range rows {
		id := rows[i].ID
		p.put(lanes.HeldRun{Key: rows[i].Key, Place: 1, Num: id.Num(), Seqs: []int64{id.Seq()}})
		n.keys[rows[i].Key] = limit
		n.shift.Resubmitted = append(n.shift.Resubmitted, lanes.PushedRow{
			Num: id.Num(), Pushed: lanes.Pushed{Seq: id.Seq(), Attempt: rows[i].Since},
		})
	}
	n.steps[0].Held = p.added
	n.shift.In = p.last
	n.shift.Due = map[string]int64{}
	for _, slot := range p.slots {
		if slot.changed {
			n.shift.Due[slot.old.Key] = lanes.Reread
			n.shift.Out = append(n.shift.Out, lanes.RunReplacement{Run: slot.old, Rest: slot.runs})
		}
	}
}

// behind returns the ids of the rows that are held, or that come after a held row of their key.
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

// putting holds the HeldRuns into which resubmitted rows are inserted.
type putting struct {
	slots []putSlot
	last  []lanes.HeldRun // new runs after all others, of one task
	open  map[string]int  // by key: index of the key's newest run in the field last
	added int64
}

// putSlot holds a HeldRun, and the HeldRuns that replace it.
type putSlot struct {
	old     lanes.HeldRun
	runs    []lanes.HeldRun
	changed bool
}

// put inserts a row among the held rows of its key and task. If there are none, the row goes before the
// held rows of its key in later tasks, or to the end.
func (p *putting) put(row lanes.HeldRun) {
	slot := p.slotOf(row)
	if slot < 0 {
		p.putLast(row)
		p.added++
		return
	}
	s := &p.slots[slot]
	if i := s.runOf(row); i >= 0 {
		run := &s.runs[i]
		at, there := slices.BinarySearch(run.Seqs, row.Seqs[0])
		if !there {
			run.Seqs = slices.Insert(slices.Clone(run.Seqs), at, row.Seqs[0])
			p.added++
		}
		s.changed = s.changed || !there
		s.split(i)
		return
	}
	row.Place = s.old.Place
	s.runs, s.changed = append([]lanes.HeldRun{row}, s.runs...), true
	p.added++
}

// runOf returns the index of the HeldRun that a row joins; -1 if the row's task has none. The row joins
// the first HeldRun of its task that ends after the row, or else the last one of its task.
func (s *putSlot) runOf(row lanes.HeldRun) int {
	own := -1
	for i, run := range s.runs {
		if run.Num != row.Num {
			continue
		}
		if own = i; run.Seqs[len(run.Seqs)-1] >= row.Seqs[0] {
			return i
		}
	}
	return own
}

// split cuts HeldRun `i` in two if it has more than lanes.RunRows rows.
func (s *putSlot) split(i int) {
	run := s.runs[i]
	if len(run.Seqs) <= lanes.RunRows {
		return
	}
	rest := run
	run.Seqs, rest.Seqs = run.Seqs[:lanes.RunRows/2], run.Seqs[lanes.RunRows/2:]
	s.runs[i] = run
	s.runs = slices.Insert(s.runs, i+1, rest)
}

// putLast inserts a row after all other rows of its key.
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

// slotOf returns the index of the slot that takes a row. Of the slots with the row's key and task,
// this is the first that ends after the row, or else the last. If there is no slot of this task, it
// is the key's first slot of a later task, or -1 if the row comes last.
func (p *putting) slotOf(row lanes.HeldRun) int {
	own, later := -1, -1
	for i := range p.slots {
		if p.slots[i].old.Key != row.Key {
			continue
		}
		for _, run := range p.slots[i].runs {
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
