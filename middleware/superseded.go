package middleware

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// newerStates returns the states of the rows that supersede or stop one of the runs, by row id. It returns
// false if the ledger did not answer.
func (r *Recorder) newerStates(xs []*run, states map[events.ID]events.State) (map[events.ID]events.State, bool) {
	var by []*run
	for _, x := range xs {
		s := states[x.id]
		if s.Newer != 0 && !x.unordered {
			by = append(by, &run{id: s.Newer})
		}
		if s.Stop > 0 && x.stops {
			by = append(by, &run{id: s.Stop})
		}
	}
	if len(by) == 0 {
		return nil, true
	}
	return r.states(by)
}

// supersededMove returns a copy of `m` that ends the row as superseded, because a newer row of its key
// has finished.
func (x *run) supersededMove(m events.Move, newer *events.State) events.Move {
	m.Attempt, m.StartedAt, m.QueuedAt = m.FromAttempt, 0, 0
	m.To, m.FinishedAt = events.Failed, x.begun.UnixMilli()
	id := newer.ID.JobID(newer.TaskID)
	text := "row.overtaken.later"
	switch {
	case newer.ID.Num() == x.id.Num():
		text = "row.overtaken"
	case x.versioned:
		text = "row.overtaken.version"
	}
	m.Failure = rowschema.Superseded(x.call.Key, newer.Row, text)
	m.Result = fmt.Appendf(nil, `{"superseded_by":%q,"row":%d}`, id, newer.Row)
	m.Notes = append(m.Notes, x.note(x.begun, events.Failed, "superseded by "+id))
	return m
}
