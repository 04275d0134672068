package review

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// intent returns the change that the bulk action intends for each row.
func (p *BulkAction) intent() intent {
	w := intent{note: p.Note, run: p.Act == Resubmit}
	switch p.Act {
	case Skip:
		w.resolution = events.Skipped
	case Accept:
		w.resolution = events.Accepted
	case Reopen:
		w.resolution = events.Open
	}
	return w
}

// applyChanges validates rows, changes them in one transaction, and counts the results. It returns the rows
// that run again; for a dry run, the rows that would run again. If the cells of a row cannot be stored, it
// returns an error. If p.lenient is true, it instead leaves the row unchanged and counts it as Moved.
func (d *Reviewer) applyChanges(
	ctx context.Context, t *tasks.Task, j *Validator, p *BulkAction, trials []RowChange, out *Outcome,
) ([]events.ID, error) {
	validated, err := j.Validate(ctx, trials)
	if err != nil {
		return nil, err
	}
	var list []decisions.Decision
	keys := map[events.ID]string{} // of rows that run again
	for i := range validated {
		r := &validated[i]
		if r.Refused != nil && !p.lenient {
			return nil, r.Refused
		}
		if r.Refused != nil {
			out.Moved++
			continue
		}
		fault := r.known()
		if p.Act == Resubmit {
			fault = r.Fault
		}
		out.countRow(r, fault)
		if decision, do := r.decision(p.intent()); do {
			list = append(list, decision)
			if decision.Resolution == events.Resubmitted {
				keys[decision.ID] = r.Key
			}
		}
	}
	if !p.Anyway {
		newer, err := d.newer(ctx, t, j, list, keys)
		if err != nil {
			return nil, err
		}
		out.Newer += int64(len(newer))
		out.Superseded += int64(len(newer))
	}
	made, err := d.decide(ctx, t, p, list, out)
	return runAgain(list, made), err
}

// decide applies decisions, and reports for each whether it was applied. A dry run applies none and
// reports true for all.
func (d *Reviewer) decide(
	ctx context.Context, t *tasks.Task, p *BulkAction, list []decisions.Decision, out *Outcome,
) (made []bool, err error) {
	if p.DryRun || len(list) == 0 {
		made = make([]bool, len(list))
		for i := range made {
			made[i] = true
		}
		return made, nil
	}
	made, err = d.decisions.Decide(ctx, decisions.Review{
		Num: t.Num, By: p.By, Detail: p.Detail, Rows: list, Keys: ruleOf(t), Hashed: d.ordered(t), Heirs: p.heirs, Anyway: p.Anyway,
		ActID: p.id, Act: string(p.Act), Undoes: p.undoes, Fix: p.Fix, Rerun: p.Whole,
	})
	if err != nil {
		return nil, fmt.Errorf("review: %s: %w", p.Act, err)
	}
	for i := range made {
		out.countDecision(&list[i], made[i], p.id)
	}
	return made, nil
}

// Keys returns the rule of a task for several rows of one key. The result `hashed` reports whether the rows
// are indexed by the hash of their key.
func (d *Reviewer) Keys(t *tasks.Task) (rule decisions.KeyRule, hashed bool) {
	return ruleOf(t), d.ordered(t)
}

// ordered reports whether the rows of a task that have the same key run in their order.
func (d *Reviewer) ordered(t *tasks.Task) bool {
	kind, ok := d.kinds.Kind(t.Kind)
	return ok && !kind.Unordered
}

// countDecision adds a decision to the outcome of an act.
func (o *Outcome) countDecision(d *decisions.Decision, made bool, act string) {
	if !made {
		o.Moved++
		return
	}
	o.Done++
	if d.Resolution == events.Resubmitted {
		o.Resubmitted++
		return
	}
	o.ActID = act
}

// runAgain returns the rows that the applied decisions resubmit.
func runAgain(list []decisions.Decision, made []bool) (out []events.ID) {
	for i := range made {
		if made[i] && list[i].Resolution == events.Resubmitted {
			out = append(out, list[i].ID)
		}
	}
	return out
}
