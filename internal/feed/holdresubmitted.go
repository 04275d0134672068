package feed

import (
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// holdResubmitted puts resubmitted rows among the held rows of their keys, each in its original position.
// It records the change of the held rows in `n`, the result of the step.
func (f *Feeder) holdResubmitted(claim lanes.LaneClaim, groups []lanes.HeldGroup, rows []pending.Row, n *stepResult) {
	p := putting{}
	for _, group := range groups {
		p.groups = append(p.groups, replacedGroup{old: group, groups: []lanes.HeldGroup{group}})
	}
	limit := f.windows.limit(f.windows.lane(claim.Lane))
	n.keys, n.shift.Limit = map[string]int{}, limit
	for i := range rows {
		id := rows[i].ID
		p.put(lanes.HeldGroup{Key: rows[i].Key, Place: 1, Num: id.Num(), Seqs: []int64{id.Seq()}})
		n.keys[rows[i].Key] = limit
		n.shift.Resubmitted = append(n.shift.Resubmitted, lanes.PushedRow{
			Num: id.Num(), Pushed: lanes.Pushed{Seq: id.Seq(), Attempt: rows[i].Since},
		})
	}
	n.steps[0].Held = p.added
	n.shift.In = p.last
	n.shift.Due = map[string]int64{}
	for _, replaced := range p.groups {
		if replaced.changed {
			n.shift.Due[replaced.old.Key] = lanes.Reread
			n.shift.Out = append(n.shift.Out, lanes.GroupReplacement{Group: replaced.old, Rest: replaced.groups})
		}
	}
}

// behind returns the ids of the rows that are held, or that come after a held row of their key.
func behind(groups []lanes.HeldGroup, rows []pending.Row) map[events.ID]bool {
	first, own := map[string]lanes.HeldGroup{}, map[string]map[int64]bool{}
	for _, group := range groups {
		if own[group.Key] == nil {
			first[group.Key], own[group.Key] = group, map[int64]bool{}
		}
		own[group.Key][group.Num] = true
	}
	out := map[events.ID]bool{}
	for i := range rows {
		group, found := first[rows[i].Key]
		if id := rows[i].ID; found && id.Num() == group.Num {
			out[id] = id.Seq() >= group.Seqs[0]
		} else if found {
			out[id] = own[group.Key][id.Num()] || id.Num() > group.Num
		}
	}
	return out
}

// putting holds the HeldGroups into which resubmitted rows are inserted.
type putting struct {
	groups []replacedGroup
	last   []lanes.HeldGroup // new groups after all others, of one task
	open   map[string]int    // by key: index of the key's newest group in the field last
	added  int64
}

// replacedGroup holds a HeldGroup, and the HeldGroups that replace it.
type replacedGroup struct {
	old     lanes.HeldGroup
	groups  []lanes.HeldGroup
	changed bool
}

// put inserts a row among the held rows of its key and task. If there are none, the row goes before the
// held rows of its key in later tasks, or to the end.
func (p *putting) put(row lanes.HeldGroup) {
	at := p.indexOf(row)
	if at < 0 {
		p.putLast(row)
		p.added++
		return
	}
	s := &p.groups[at]
	if i := s.groupOf(row); i >= 0 {
		group := &s.groups[i]
		at, there := slices.BinarySearch(group.Seqs, row.Seqs[0])
		if !there {
			group.Seqs = slices.Insert(slices.Clone(group.Seqs), at, row.Seqs[0])
			p.added++
		}
		s.changed = s.changed || !there
		s.split(i)
		return
	}
	row.Place = s.old.Place
	s.groups, s.changed = append([]lanes.HeldGroup{row}, s.groups...), true
	p.added++
}

// groupOf returns the index of the HeldGroup that a row joins; -1 if the row's task has none. The row joins
// the first HeldGroup of its task that ends after the row, or else the last one of its task.
func (s *replacedGroup) groupOf(row lanes.HeldGroup) int {
	own := -1
	for i, group := range s.groups {
		if group.Num != row.Num {
			continue
		}
		if own = i; group.Seqs[len(group.Seqs)-1] >= row.Seqs[0] {
			return i
		}
	}
	return own
}

// split cuts HeldGroup `i` in two if it has more than lanes.GroupRows rows.
func (s *replacedGroup) split(i int) {
	group := s.groups[i]
	if len(group.Seqs) <= lanes.GroupRows {
		return
	}
	rest := group
	group.Seqs, rest.Seqs = group.Seqs[:lanes.GroupRows/2], group.Seqs[lanes.GroupRows/2:]
	s.groups[i] = group
	s.groups = slices.Insert(s.groups, i+1, rest)
}

// putLast inserts a row after all other rows of its key.
func (p *putting) putLast(row lanes.HeldGroup) {
	if i, ok := p.open[row.Key]; ok && len(p.last[i].Seqs) < lanes.GroupRows {
		p.last[i].Seqs = append(p.last[i].Seqs, row.Seqs...)
		return
	}
	if p.open == nil {
		p.open = map[string]int{}
	}
	p.open[row.Key] = len(p.last)
	p.last = append(p.last, row)
}

// indexOf returns the index in p.groups at which a row is inserted. Among the HeldGroups of the row's key
// and task, it chooses the first that ends after the row, or else the last. If there are none, it chooses
// the key's first HeldGroup of a later task. Otherwise, it returns -1, and the row comes last.
func (p *putting) indexOf(row lanes.HeldGroup) int {
	own, later := -1, -1
	for i := range p.groups {
		if p.groups[i].old.Key != row.Key {
			continue
		}
		for _, group := range p.groups[i].groups {
			switch {
			case group.Num == row.Num && group.Seqs[len(group.Seqs)-1] > row.Seqs[0]:
				return i
			case group.Num == row.Num:
				own = i
			case group.Num > row.Num && later < 0:
				later = i
			}
		}
	}
	if own >= 0 {
		return own
	}
	return later
}
